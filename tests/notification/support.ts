// The notifications with a stand-in for the queue, on each database, for the tests in this folder.
import { expect } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#notification/bindings'
import { schema } from '#notification/schema'
import { NewTask } from '#queue/contract'
import Notification from '../../workers/notification/index.ts'
import type { Database } from '../support/databases.ts'
import { databases } from '../support/databases.ts'
import { boundOn, startWith } from '../support/requests.ts'

/** A task as the stand-in for the queue received it. */
export interface Task {
  id: string
  key: string | null
  worker: string
  url: string
  json: Record<string, unknown>
  /** The request body that created the task, unparsed. */
  body: string
  headers: Record<string, string>
  secret_headers: Record<string, string>
  service?: string
  confidential: boolean
  retries: number
}

const refused = (status: number, status_code: string) =>
  Response.json({ status: false, status_code, message: 'Refused' }, { status })

/**
 * Stands in for the queue: rejects tasks that the queue's own schema does not allow, and creates one task per idempotency key.
 */
function standInQueue() {
  const tasks: Task[] = []
  const known = new Map<string, { body: string; id: string }>()
  const state = {
    /**
     * How the stand-in treats a task: `take` accepts it; `lose` accepts it, but breaks the connection instead of replying; a
     * response is returned without accepting it.
     */
    before: async (_: Task): Promise<'take' | 'lose' | Response> => 'take',
    takeTasks: () => tasks.splice(0),
    /** Sorted channels of the tasks that were accepted and not yet taken out by `takeTasks`. */
    waiting: () => tasks.map(({ url }) => new URL(url).hostname.split('.')[0]).toSorted(),
  }
  const fetch = async (url: string, init: RequestInit) => {
    if (url === 'http://queue/_health') return Response.json({ status: true, content: { state: 'up' } })
    if (url !== 'http://queue/task' || init.method !== 'POST') return new Response('', { status: 404 })
    const body = init.body as string
    const key = new Headers(init.headers).get('idempotency-key')
    const parsed = NewTask.strict().safeParse(JSON.parse(body))
    if (!parsed.success || body.length > 1_000_000) return refused(400, 'validation_failed')
    const task = { ...parsed.data, json: JSON.parse(body).json, body, key, id: crypto.randomUUID() } as unknown as Task
    const verdict = await state.before(task)
    if (verdict instanceof Response) return verdict
    const before = key === null ? undefined : known.get(key)
    if (before && before.body !== body) return refused(409, 'idempotency_key_reused')
    if (!before) tasks.push(task)
    const { id } = before ?? task
    if (key !== null) known.set(key, { body, id })
    if (verdict === 'lose') throw new Error('The connection broke')
    return Response.json({ status: true, content: { task: { id } } })
  }
  return Object.assign(state, { fetch })
}

const addresses = {
  EMAIL_URL: 'https://email.test',
  SMS_URL: 'https://sms.test',
  FEED_URL: 'https://feed.test',
  AUTH_TOKENS: '',
}

/** The notifications on a database, with their own stand-in for the queue. `variables` are added to the environment. */
export function notificationsOn(database: Database, variables: Partial<Env> = {}) {
  const queue = standInQueue()
  const settings = boundOn(database, { ...addresses, ...variables, QUEUE: queue }) as Env
  const { fetch, send } = startWith(Notification, settings)
  return {
    dialect: database.dialect,
    env: settings,
    store: open(settings, schema),
    queue,
    fetch,
    send,
    /** Makes a request that must succeed, and returns the content of the reply. */
    content: async (method: string, path: string, params?: object) => {
      const { status, json } = await send(method, path, params)
      expect({ status, json }).toMatchObject({ status: 200, json: { status: true } })
      return json.content as never as Record<string, never>
    },
    /** Creates a template with a new code and with all channels and texts, except those that `more` replaces. */
    given: async (more: object = {}) => {
      const { json } = await send('POST', '/notification', { name: 'Given', code: fresh(), ...all, ...more })
      return (json.content as never as { notification: Template }).notification
    },
  }
}

export type Tested = ReturnType<typeof notificationsOn>

export interface Template extends Record<string, unknown> {
  id: number
  code: string
}

/** The notifications on every database, for `describe.each(everywhere())`. */
export const everywhere = (variables: Partial<Env> = {}) =>
  databases.map((database) => notificationsOn(database, variables))

let codes = 0

/** A code that no other template has: tests share one database. */
export const fresh = (prefix = 'code') => `${prefix}-${codes++}-${crypto.randomUUID().slice(0, 8)}`

/** Channels and texts for a new template: every channel is on and has a text. */
export const all = {
  has_email: true,
  has_sms: true,
  has_feed: true,
  email_subject: 'Order {{ order }}',
  email_html: { en: '<p>Hello, {{ name }}</p>', kk: '<p>Сәлем, {{ name }}</p>' },
  sms_message: { en: 'Hello, {{ name }}', kk: 'Сәлем, {{ name }}' },
  feed_title: { en: 'Hello', ru: 'Здравствуйте' },
  feed_text: '{{ name }} has {{ order }}',
  feed_image: 'https://example.com/{{ order }}.png',
}

/** Recipients for every channel, in the form of `POST /notify`. */
export const targets = {
  email: 'ann@example.com',
  phone: '+7 (701) 123-45-67',
  feed_collection: 'news',
  feed_recipient: 'ann',
}

export const refusal = (status: number, status_code: string, errors?: Record<string, unknown>) => ({
  status,
  json: { status: false, status_code, ...(errors && { errors }) },
})

/** The 400 reply for invalid parameters, with an error at each of these places. */
export const invalid = (...places: string[]) =>
  refusal(400, 'validation_failed', Object.fromEntries(places.map((place) => [place, expect.any(String)])))
