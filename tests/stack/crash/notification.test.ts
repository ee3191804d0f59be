// Tests that a notification queues each of its messages once, although all processes are killed while the call is
// retried.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Victim, victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { ask, askJson } from '../http.ts'
import { temporary } from '../stack.ts'

const calls = 120
const callers = 8
const kills = 3

let stateDir: string
let victim: Victim
let target: Awaited<ReturnType<typeof startTarget>>

beforeEach(async () => {
  stateDir = temporary()
  target = await startTarget()
  const variables = { EMAIL_URL: target.url, SMS_URL: target.url, FEED_URL: target.url }
  victim = victimOf({ components: ['notification', 'queue'], port: await freePort(0), stateDir, variables })
})

afterEach(async () => {
  await victim.end()
  target.close()
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

/**
 * Starts a server that accepts the messages of all channels, and records which task sent each: `<path> <recipient>`.
 */
async function startTarget() {
  const tasks = new Map<string, Set<string>>()
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { to, phones, recipient } = JSON.parse(body)
    const message = `${request.url} ${to ?? phones ?? recipient}`
    tasks.set(message, (tasks.get(message) ?? new Set()).add(String(request.headers['x-task-id'])))
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { tasks, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const template = {
  name: 'Crash',
  code: 'crash',
  ...{ has_email: true, has_sms: true, has_feed: true },
  ...{ email_subject: 'Hi', email_html: '{{ name }}', sms_message: '{{ name }}', feed_text: '{{ name }}' },
}

const messagesOf = (n: number) => [`/smtp n${n}@example.com`, `/sms ${77_010_000_000 + n}`, `/record n${n}`]

/** Resolves when the stack runs again after a kill. */
let running: Promise<unknown>

/** Sends one notification with an idempotency key, and retries until it succeeds. */
async function notify(n: number): Promise<void> {
  const targets = { email: `n${n}@example.com`, phone: String(77_010_000_000 + n), feed_collection: 'news' }
  const call = { notification: 'crash', locale: 'en', ...targets, feed_recipient: `n${n}`, payload: { name: 'Ann' } }
  const init = { method: 'POST', headers: { 'idempotency-key': `call-${n}` }, body: JSON.stringify(call) }
  for (;;) {
    const reply = await ask(`${victim.url}/notification/notify`, init).catch(() => undefined)
    if (reply) expect([200, 409, 500, 502, 503, 504]).toContain(reply.status)
    if (reply?.status === 200) return
    await running
  }
}

it('queues each message of a call once, although all processes are killed while the call is retried', {
  timeout: 600_000,
}, async () => {
  running = victim.start()
  await running
  await askJson(`${victim.url}/notification/notification`, 'POST', template)
  let next = 0
  const caller = async () => {
    while (next < calls) await notify(next++)
  }
  const killer = async () => {
    for (let kill = 1; kill <= kills; kill++) {
      await expect.poll(() => next, { timeout: 120_000, interval: 5 }).toBeGreaterThan((kill * calls) / (kills + 1))
      running = victim.killRuntime()
      await running
    }
  }
  await Promise.all([killer(), ...Array.from({ length: callers }, caller)])

  const expected = Array.from({ length: calls }, (_, n) => messagesOf(n)).flat()
  await expect.poll(() => expected.filter((message) => !target.tasks.has(message)), { timeout: 200_000 }).toEqual([])
  expect([...target.tasks].filter(([, tasks]) => tasks.size > 1)).toEqual([])
})
