// The component of one-time passwords with a stand-in for the queue, on each database, for the tests in this folder.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, inject } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#otp/bindings'
import { Guard } from '#otp/guard'
import { schema } from '#otp/schema'
import { NewTask } from '#queue/contract'
import Otp from '../../workers/otp/index.ts'
import type { Answer, BotMessage } from '../support/bot.ts'
import type { Database } from '../support/databases.ts'
import { databases } from '../support/databases.ts'
import { ask, boundOn, type Fetch, startWith } from '../support/requests.ts'

export { errorReply, validationError } from '../support/refusals.ts'

export const bound = env as unknown as Env

export interface Task {
  id: string
  url: string
  json: Record<string, unknown>
  headers: Record<string, string>
  secret_headers: Record<string, string>
  service?: string
  retries: number
  expires: number
}

const TaskOfPasswords = NewTask.pick({
  worker: true,
  key: true,
  url: true,
  json: true,
  headers: true,
  secret_headers: true,
  service: true,
  confidential: true,
  timeout: true,
  retries: true,
  retry_delay: true,
  expires: true,
}).strict()

/**
 * How the stand-in for the queue behaves: it works, is unreachable, rejects every task (503 or 413), or accepts a task and then
 * replies 500, replies too late or breaks the connection.
 */
type How = 'up' | 'unreachable' | 'refusing' | 'failing' | 'late' | 'too large' | 'breaking'

/**
 * Stands in for the queue: rejects tasks that the queue's own schema does not allow, and creates one task per idempotency key.
 */
function standInQueue() {
  const tasks: Task[] = []
  const replies = new Map<string, { body: string; reply: object }>()
  let ids = 0
  const state = { how: 'up' as How, requestCount: 0, tasks, takeTasks: () => tasks.splice(0) }
  const fetch = async (url: string, init: RequestInit) => {
    if (url === 'http://queue/_health') return Response.json({ status: state.how === 'up', content: { state: 'up' } })
    state.requestCount++
    if (state.how === 'unreachable') throw new Error('The queue is down')
    if (state.how === 'refusing') return refuse(503, 'unavailable')
    if (state.how === 'too large') return refuse(413, 'payload_too_large')
    const key = new Headers(init.headers).get('idempotency-key')
    const body = init.body as string
    const parsed = TaskOfPasswords.safeParse(JSON.parse(body))
    if (url !== 'http://queue/task' || init.method !== 'POST') return refuse(404, 'route_not_found')
    if (!parsed.success || !parsed.data.confidential) return refuse(400, 'validation_failed')
    const before = key === null ? undefined : replies.get(key)
    if (before && before.body !== body) return refuse(409, 'idempotency_key_reused')
    const id = `otp-${++ids}`
    const reply = before?.reply ?? { status: true, content: { task: { id } } }
    if (!before) tasks.push({ ...parsed.data, json: JSON.parse(parsed.data.json!), id } as unknown as Task)
    if (key !== null) replies.set(key, { body, reply })
    if (state.how === 'failing') return refuse(500, 'internal_error')
    if (state.how === 'breaking') throw new Error('The connection was lost')
    if (state.how === 'late') await aborted(init.signal!)
    return Response.json(reply)
  }
  return Object.assign(state, { fetch })
}

const refuse = (status: number, status_code: string) =>
  Response.json({ status: false, status_code, message: 'No' }, { status })

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const botPort = inject('botPort')
const bots = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${botPort}${path}`, init)

/** The component on one database, with its own queue and durable objects. `variables` are added to its environment. */
export function otpOn(database: Database, variables: Partial<Env> = {}) {
  const own = crypto.randomUUID()
  const queue = standInQueue()
  const settings = boundOn(database, {
    QUEUE: queue,
    SMS_URL: 'http://sms.test',
    EMAIL_URL: 'http://email.test',
    SELF_URL: 'http://otp.test',
    CHATAPP_BOT_TOKEN: own,
    CHATAPP_URL: `http://127.0.0.1:${botPort}`,
    ...variables,
    LIMITER: { getByName: (name: string) => bound.LIMITER.getByName(`${own} ${name}`) },
    GUARD: { getByName: (name: string) => guardOn(`${own} ${name}`, () => settings) },
  }) as Env
  const { worker, fetch, send } = startWith(Otp, settings)
  const withHeaders =
    (headers: Record<string, string>): Fetch =>
    (url, init) =>
      fetch(url, { ...init, headers })
  return {
    dialect: database.dialect,
    env: settings,
    otp: open(settings, schema),
    queue,
    fetch,
    withHeaders,
    send,
    limiter: (key: string) => bound.LIMITER.getByName(`${own} ${key}`),
    guard: (key: string) => bound.GUARD.getByName(`${own} ${key}`),
    sweep: () => worker.sweep(),
    bot: {
      token: own,
      sent: async () => (await bots(`/_sent?token=${own}`)).json() as Promise<BotMessage[]>,
      answer: async (...answers: Answer[]) => {
        await (await bots(`/_answers?token=${own}`, { method: 'POST', body: JSON.stringify(answers) })).text()
      },
    },
    /** Makes the request of a task, as the queue does. */
    deliver: ({ url, json, headers, secret_headers }: Task) =>
      ask('POST', new URL(url).pathname, json, withHeaders({ ...headers, ...secret_headers })),
  }
}

/** A durable object `Guard` with the environment of the test. The real binding would give it that of the Worker. */
const guardOn = (name: string, settings: () => Env) => {
  const run = <Result>(work: (guard: Guard) => Promise<Result>) =>
    runInDurableObject(bound.GUARD.getByName(name), (_, state) => {
      const guard = guards.get(state) ?? new Guard(state, settings())
      guards.set(state, guard)
      return work(guard)
    })
  return {
    check: (sought: Parameters<Guard['check']>[0]) => run((guard) => guard.check(sought)),
    unlock: () => run((guard) => guard.unlock()),
    forget: () => run((guard) => guard.forget()),
  }
}

const guards = new WeakMap<DurableObjectState, Guard>()

export type TestedOtp = ReturnType<typeof otpOn>

/** The component on each database, for `describe.each(otps())`. */
export const otps = (variables: Partial<Env> = {}) => databases.map((database) => otpOn(database, variables))

let last = Math.floor(Math.random() * 1e9)

/** A phone that no other test uses, since tests share a database. */
export const freshPhone = () => `7${String(last++).padStart(10, '0')}`
export const freshEmail = () => `user${last++}@example.com`
export const freshChat = () => String(last++)
export const freshIp = () => {
  const n = last++
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
}
export const freshPassword = () => crypto.randomUUID().slice(0, 13)

/** For each channel: its parameter names, the error code of its limit, and a function that returns a new target. */
export const channelParams = {
  sms: { target: 'phone', limits: 'phones', code: 'phone_limit', fresh: freshPhone, more: { message: 'Your code' } },
  call: { target: 'phone', limits: 'phones', code: 'phone_limit', fresh: freshPhone, more: {} },
  email: {
    target: 'email',
    limits: 'emails',
    code: 'email_limit',
    fresh: freshEmail,
    more: { subject: 'Your code', text: 'It is below' },
  },
  chatapp: {
    target: 'chat_id',
    limits: 'chats',
    code: 'email_limit',
    fresh: freshChat,
    more: { message: 'Your code' },
  },
}

type Channel = keyof typeof channelParams

export const everyChannel = Object.keys(channelParams) as Channel[]

/** The parameters of a send on a channel. */
export const sendTo = (channel: Channel, target: string, password: string, more: object = {}) => ({
  [channelParams[channel].target]: target,
  password,
  lifetime: 300,
  ...channelParams[channel].more,
  ...more,
})

/** Checks a password. Returns the `status_code` of the reply, or without one whether the password is correct. */
export async function check({ send }: TestedOtp, channel: Channel, target: string, password: string) {
  const { status, json } = await send('GET', `/${channel}/check`, { [channelParams[channel].target]: target, password })
  expect(status).toBe(200)
  return (json as { status_code?: string }).status_code ?? (json as { status?: boolean }).status
}

export const done = { status: 200, json: { status: true } }
