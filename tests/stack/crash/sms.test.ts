// Tests that an SMS is never sent twice, although all processes are killed before or after the provider gets it.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type Victim, victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask } from '../http.ts'
import { only, start, temporary } from '../stack.ts'
import { startDatabase } from './held-database.ts'

const text = 'The code is 918273'
const phones = Array.from({ length: 120 }, (_, n) => String(77_010_000_000 + n))

let stateDir: string
let port: number
let provider: Awaited<ReturnType<typeof startProvider>>

beforeEach(async () => {
  stateDir = temporary()
  port = await freePort(0)
  provider = await startProvider()
})

afterEach(() => {
  provider.close()
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts a provider that records its requests, and does not reply while it is on hold. */
async function startProvider() {
  const requests: string[] = []
  const state = { holds: true }
  const server = createServer({ keepAliveTimeout: 0 }, async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    requests.push(JSON.parse(body).phone)
    if (!state.holds) response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return Object.assign(state, { requests, url, close })
}

async function post(params: object, key?: string) {
  const { status, text } = await ask(`http://localhost:${port}/sms/sms`, {
    method: 'POST',
    body: JSON.stringify(params),
    ...(key && { headers: { 'idempotency-key': key } }),
  })
  return { status, body: JSON.parse(text) as Record<string, unknown> }
}

interface Message {
  phone: string
  state: string
  reason: string | null
}

async function messages(): Promise<Message[]> {
  const { text } = await ask(`http://localhost:${port}/sms/messages?limit=1000`)
  return JSON.parse(text).content.messages
}

const settings = () => ({ PROVIDER_A_DRIVER: 'http', PROVIDER_A_URL: provider.url })

/** Starts the gateway in separate processes, which the test can kill. */
async function startVictim(variables: Record<string, string> = {}): Promise<Victim> {
  const victim = victimOf({ components: ['sms'], port, stateDir, variables: { ...settings(), ...variables } })
  onTestFinished(() => victim.end())
  await victim.start()
  return victim
}

/** Starts the gateway with the same state in this process, so that the test sees its log. Runs until the test ends. */
async function startAgain(variables: Record<string, string> = {}) {
  const lines: string[] = []
  const stack = await start({
    ...{ stateDir, port, variables: { ...settings(), ...variables } },
    ...{ components: only('sms'), log: (line) => lines.push(line) },
  })
  onTestFinished(() => stack.dispose())
  return { stack, lines }
}

/** Moves the messages into the past, as if the time had passed after which no request can still be running. */
async function age(stack: Stack) {
  const database = await stack.database('sms')
  await database.prepare('UPDATE sms_messages SET updated_at = updated_at - 600000').run()
}

it('does not resend a message that a provider may have got before a kill, and reports it as unknown', async () => {
  const victim = await startVictim()
  const body = { phones: '+7 702 000 00 00', message: text }
  const requests = [post(body, 'once'), post({ phones, message: text })]
  const broken = Promise.all(requests.map((request) => expect(request).rejects.toThrow()))
  await expect.poll(() => provider.requests.length, { timeout: 60_000 }).toBe(7)

  await victim.kill()
  await broken
  provider.holds = false
  const { stack, lines } = await startAgain()

  expect(await post(body, 'once')).toMatchObject({ status: 504, body: { status_code: 'outcome_unknown' } })
  expect((await messages()).find(({ phone }) => phone === '77020000000')).toMatchObject({ state: 'sending' })
  await age(stack)
  await stack.sweep()
  const left = await messages()
  expect(left.find(({ phone }) => phone === '77020000000')).toMatchObject({ state: 'unknown', reason: 'interrupted' })
  checkLeft(left.filter(({ phone }) => phone !== '77020000000'))
  expect(await post(body, 'once')).toMatchObject({ status: 504, body: { status_code: 'outcome_unknown' } })
  expect(provider.requests).toHaveLength(7)

  expect(await post({ phones: '77020000001', message: text })).toMatchObject({ status: 200 })
  checkLog(lines.join('\n'))
})

/**
 * Checks the states after a kill: messages that the provider has got are unknown; messages that were not sent have
 * failed.
 */
function checkLeft(left: Message[]) {
  const states = new Map(left.map(({ phone, state, reason }) => [phone, `${state} ${reason}`]))
  const requests = provider.requests.filter((phone) => phone !== '77020000000')
  expect(left).toHaveLength(phones.length)
  expect(requests.map((phone) => states.get(phone))).toEqual(Array(6).fill('unknown interrupted'))
  const unknown = left.filter(({ state }) => state === 'unknown')
  expect(unknown.length).toBeLessThanOrEqual(50)
  expect(left.filter(({ state }) => state === 'failed')).toHaveLength(phones.length - unknown.length)
  expect(states.get(phones.at(-1)!)).toBe('failed not_attempted')
}

function checkLog(log: string) {
  expect(log).toContain('********001')
  for (const secret of ['918273', '7702000', '7701000']) expect(log).not.toContain(secret)
}

it('sends exactly once if all processes are killed before the provider is called, and the request is retried', async () => {
  const database = await startDatabase('INSERT INTO "sms_messages"')
  const victim = await startVictim({ DATABASE_URL: database.held })
  const body = { phones: '77030000000', message: text }
  database.state.holds = true
  const broken = expect(post(body, 'first')).rejects.toThrow()
  await expect.poll(() => database.state.isAsked, { timeout: 60_000 }).toBe(true)

  await victim.kill()
  await broken
  expect(provider.requests).toEqual([])
  provider.holds = false
  await startAgain({ DATABASE_URL: database.direct })

  const reply = await post(body, 'first')
  expect(reply).toMatchObject({ status: 200, body: { content: { messages: [{ state: 'sent' }] } } })
  expect(await post(body, 'first')).toEqual(reply)
  expect(provider.requests).toEqual(['77030000000'])
  expect(await messages()).toMatchObject([{ phone: '77030000000', state: 'sent' }])
})
