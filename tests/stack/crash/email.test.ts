// Tests that a mail is sent once for all retries with one key, although all processes are killed while it is sent.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../scripts/stack/port.ts'
import { startSmtp, type TestSmtp } from '../../support/smtp-server.ts'
import { ask } from '../http.ts'
import { type Run, started } from '../processes.ts'
import { temporary } from '../stack.ts'

let stateDir: string
let port: number
let run: Run
let smtp: TestSmtp

/**
 * The SMTP phases at which the server hangs, one per mail, when everything is killed. `DATA` is last, since the component
 * would give up that mail first.
 */
const places = ['content', 'end', 'DATA']

beforeAll(async () => {
  stateDir = temporary()
  port = await freePort(0)
  smtp = await startSmtp({ fault: places.map((at) => ({ at, how: 'hang' })) })
  Object.assign(process.env, { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(smtp.port) })
})

afterAll(async () => {
  await kill()
  smtp.close()
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

async function kill() {
  process.kill(-run.child.pid!, 'SIGKILL')
  await run.ended
}

/** Requests the mail with this idempotency key, as a retry would. */
async function send(key: string) {
  const { status, text } = await ask(`http://localhost:${port}/email/smtp`, {
    method: 'POST',
    headers: { 'idempotency-key': key },
    body: JSON.stringify({ subject: key, to: 'ann@example.com', text: 'How are you?' }),
  })
  return { status, body: JSON.parse(text) }
}

/** Subjects of the mails that the SMTP server has accepted. */
const taken = () => smtp.mails.map(({ raw }) => /^Subject: (.*)\r$/m.exec(atob(raw))?.[1])

const unknown = { status: 504, body: { status: false, status_code: 'outcome_unknown' } }

const title = 'sends what was killed before its message at the repeat, and nothing twice that was killed within it'

// Long, since everything is started twice.
it(title, { timeout: 900_000 }, async () => {
  run = await started(stateDir, port)
  const cut: Promise<unknown>[] = []
  for (const [nth, place] of places.entries()) {
    cut.push(expect(send(place)).rejects.toThrow())
    await expect.poll(() => smtp.heard.faults, { timeout: 60_000 }).toBe(nth + 1)
  }
  await Promise.all([kill(), ...cut])
  expect(taken()).toEqual(['end'])

  run = await started(stateDir, port)
  const sent = await send('DATA')
  expect(sent.status).toBe(201)
  expect(await send('DATA')).toEqual(sent)
  for (const place of ['content', 'end', 'content', 'end']) expect(await send(place)).toMatchObject(unknown)
  expect(taken()).toEqual(['end', 'DATA'])
})
