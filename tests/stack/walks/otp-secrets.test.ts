// Tests that no log, list or file contains a one-time password.
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { startBots } from '../../support/bot.ts'
import { ask } from '../http.ts'
import { start } from '../stack.ts'

const token = '123456:the-token-of-the-bot'
const webhookSecret = 'the-secret-of-the-webhook'
const userPassword = 'the-password-of-the-user'
const access = { authorization: `Basic ${btoa(`ann:${userPassword}`)}` }
const secrets = [token, webhookSecret, userPassword, access.authorization.slice(6)]
const printed: string[] = []
/** All replies, except those to calls that ask for a password. */
const answered: string[] = []
const passwords: string[] = []

let stack: Stack
let bots: Awaited<ReturnType<typeof startBots>>
const restore: (() => void)[] = []

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) restore.push(keepPrinted(stream))
  bots = await startBots()
  const variables = {
    ...{ CHATAPP_BOT_TOKEN: token, CHATAPP_URL: bots.url, CHATAPP_WEBHOOK_SECRET: webhookSecret },
    ...{ HTTP_AUTH_USERNAME: 'ann', HTTP_AUTH_PASSWORD: userPassword },
  }
  stack = await start({ log: (line) => printed.push(line), variables })
})

afterAll(async () => {
  await stack.dispose()
  bots.close()
  for (const undo of restore) undo()
})

/** Records what is written to a stream, since the runtime's own output does not go through the log. */
function keepPrinted(stream: NodeJS.WriteStream) {
  const write = stream.write.bind(stream)
  stream.write = ((chunk: string | Uint8Array, ...rest: never[]) => {
    printed.push(String(chunk))
    return write(chunk, ...rest)
  }) as typeof stream.write
  return () => {
    stream.write = write
  }
}

/** Makes a password that occurs in no other text, so that it can be searched for. */
function password() {
  const made = crypto.randomUUID().replaceAll('-', '')
  passwords.push(made)
  return made
}

async function call(path: string, method = 'GET', params?: object | string, headers: Record<string, string> = access) {
  const body = typeof params === 'string' ? params : JSON.stringify(params)
  const reply = await ask(stack.url + path, { method, headers, ...(params !== undefined && { body }) })
  answered.push(reply.text, JSON.stringify(reply.headers))
  return { status: reply.status, json: JSON.parse(reply.text || '{}') as Record<string, never> }
}

const sends: [path: string, target: object, content: (password: string) => object][] = [
  ['sms', { phone: '77011234567' }, (message) => ({ message })],
  ['call', { phone: '77011234567' }, () => ({})],
  ['email', { email: 'ann@example.com' }, (text) => ({ subject: text, text, html: `<b>${text}</b>` })],
  ['chatapp', { chat_id: '42' }, (message) => ({ message })],
]

const send = (channel: string, target: object, sentPassword: string, content: object, more = {}) =>
  call(`/otp/${channel}`, 'POST', { ...target, password: sentPassword, lifetime: 300, ...content, ...more })

const states = ['waiting', 'running', 'done', 'failed', 'lost', 'canceled']

/** Reads everything that the queue shows of its tasks, and returns the number of tasks by state. */
async function readQueue(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const state of states) {
    const { json } = await call(`/queue/tasks?worker=otp&state=${state}`)
    const { tasks } = json.content as unknown as { tasks: { id: string }[] }
    counts[state] = tasks.length
    for (const { id } of tasks) await call(`/queue/task?id=${id}`)
  }
  return counts
}

/** The files of databases and objects, except those of components that must store the message texts. */
const kept = () =>
  globSync('**/*', { cwd: stack.stateDir })
    .map((file) => join(stack.stateDir, file))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
    .map((file) => ({ file, bytes: contentOf(file) }))
    .filter(({ file, bytes }) => !/\/((email|catcher)-|mail\/)/.test(file) && !bytes.includes('sms_messages'))

/** Content of a file. Empty if it was deleted meanwhile: SQLite moves the content of its log into the database. */
function contentOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

const found = (texts: { toString(): string }[], what: string) => texts.filter((text) => text.toString().includes(what))

function nothingIn(name: string, texts: string[]) {
  for (const secret of [...passwords, ...secrets]) expect([name, found(texts, secret)]).toEqual([name, []])
}

describe('a password, with HTTP Basic on all components', () => {
  it('is sent on every channel, and checked with all possible results', { timeout: 600_000 }, async () => {
    await call('/queue/worker/pause', 'POST', { worker: 'otp' })
    for (const [channel, target, content] of sends) {
      const [one, two] = [password(), password()]
      expect((await send(channel, target, one, content(one))).status).toBe(200)
      expect((await send(channel, target, two, content(two))).status).toBe(200)
    }
    expect(await readQueue()).toMatchObject({ waiting: 8 })
    await call('/queue/worker/resume', 'POST', { worker: 'otp' })
    await expect.poll(readQueue).toMatchObject({ waiting: 0, running: 0, done: 8 })
    expect(bots.sent(token)).toHaveLength(2)
    const { text } = await ask(`${stack.url}/sms/messages?count=true`, { headers: access })
    expect(JSON.parse(text).content).toMatchObject({ nb_results: 4 })

    for (const [n, [channel, target, content]] of sends.entries()) {
      const sentPassword = passwords[n * 2]!
      expect((await call(`/otp/${channel}/check`, 'GET', { ...target, password: sentPassword }, {})).status).toBe(401)
      const check = (sentPassword: string) =>
        call(`/otp/${channel}/check`, 'GET', { ...target, password: sentPassword })
      expect((await check(sentPassword)).json).toEqual({ status: true })
      expect((await check(sentPassword)).json).toMatchObject({ status: false })
      expect((await check(password())).json).toMatchObject({ status: false })
      expect((await call(`/otp/target?channel=${channel}&password=${sentPassword}`)).status).toBe(200)
      expect((await call('/otp/target', 'GET', { channel, password: password() })).status).toBe(404)
      const bad = password()
      for (const invalid of [{ lifetime: 0 }, { lifetime: bad }, { password: bad.repeat(10) }, { ip: bad }])
        expect((await send(channel, target, bad, content(bad), invalid)).status).toBe(400)
      expect((await send(channel, { phone: bad, email: bad, chat_id: bad.repeat(3) }, bad, content(bad))).status).toBe(
        400,
      )
      expect((await call(`/otp/${channel}`, 'PUT', { password: bad })).status).toBe(405)
      expect((await call(`/otp/${channel}`, 'POST', `{"password": "${bad}"`)).status).toBe(400)
      expect((await call(`/otp/${channel}/${bad}?password=${bad}`)).status).toBe(404)
    }
  })

  it('is rejected by a limit, by the queue, by the bot and without a proof', { timeout: 600_000 }, async () => {
    await call('/otp/limit/sms', 'POST', { phones: [{ minutes: 60, rate: 1 }] })
    for (const status of [200, 429])
      expect((await send('sms', { phone: '77011234568' }, password(), { message: 'x' })).status).toBe(status)
    bots.answer(token, [
      { status: 403, body: { ok: false } },
      { status: 400, text: 'Bad Request' },
    ])
    const [, , , [channel, target, content]] = sends as [unknown, unknown, unknown, (typeof sends)[0]]
    for (let i = 0; i < 2; i++) {
      const sentPassword = password()
      await send(channel, target, sentPassword, content(sentPassword))
    }
    await expect.poll(() => bots.sent(token).length).toBe(4)
    const text = password()
    const forged = { chat_id: '42', text, expires_at: Date.now() + 60_000 }
    expect((await call('/otp/chatapp/delivery', 'POST', forged, { 'otp-proof': text })).status).toBe(401)
    const update = { update_id: 1, message: { chat: { id: 43 } } }
    expect((await call('/otp/chatapp/webhook', 'POST', update)).status).toBe(401)
    const proof = { 'x-telegram-bot-api-secret-token': webhookSecret }
    expect((await call('/otp/chatapp/webhook', 'POST', update, proof)).status).toBe(200)
    await expect.poll(() => bots.sent(token).length).toBe(5)
    // Six digits may occur by chance, so passwords of digits are searched only where nothing else can be.
    passwords.push(String(bots.sent(token).at(-1)!.body.text))
    await readQueue()
  })

  it('is in no reply', async () => {
    for (const path of [
      '/_health',
      '/otp/_health',
      '/queue/_health',
      '/sms/_health',
      '/otp/_openapi.json',
      '/queue/workers',
    ])
      await call(path)
    expect(answered.length).toBeGreaterThan(200)
    nothingIn('answers', answered)
  })

  it('is in no log', async () => {
    expect(found(printed, '"component":"otp"').length).toBeGreaterThan(50)
    expect(found(printed, '"component":"queue"').length).toBeGreaterThan(0)
    nothingIn('lines', printed)
  })

  it('is in no file of the component and the queue', async () => {
    const files = kept()
    expect(files.filter(({ bytes }) => bytes.includes('otp_passwords')).length).toBeGreaterThan(0)
    expect(files.filter(({ file }) => file.includes('queue-Backlog')).length).toBeGreaterThan(0)
    expect(files.filter(({ file }) => file.includes('otp-Guard')).length).toBeGreaterThan(0)
    for (const secret of [...passwords, ...secrets])
      expect(files.filter(({ bytes }) => bytes.includes(secret)).map(({ file }) => file)).toEqual([])
  })
})
