// Shared helpers of the bus's tests: a bus on each database with a simulated queue, and new collections and users.
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import type { Env } from '#bus/bindings'
import { schema } from '#bus/schema'
import { open } from '#core/db/open'
import { NewTask } from '#queue/contract'
import Bus from '../../workers/bus/index.ts'
import type { Database } from '../support/databases.ts'
import { databases } from '../support/databases.ts'
import { ask, boundOn, type Fetch, startWith } from '../support/requests.ts'

export { errorReply, validationError } from '../support/refusals.ts'

const bound = env as unknown as Env
export const adminSecret = bound.BOX_ADMIN_SECRET!

/** A URL of the target server. */
export const target = (path: string) => `http://127.0.0.1:${inject('targetPort')}${path}`

export interface Task {
  id: string
  key: string
  url: string
  json: { collection: number; document: number }
  delay: number
  secret_headers: Record<string, string>
}

const aborted = (signal: AbortSignal) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))

/** Simulates the queue: accepts only tasks that the queue's real schema accepts, and keeps them instead of sending their requests. */
function standInQueue() {
  const tasks: Task[] = []
  const state = { isDown: false, isSlow: false, oldestDue: null as string | null, takeTasks: () => tasks.splice(0) }
  const fetch = async (url: string, init: RequestInit) => {
    if (state.isDown) throw new Error('The queue is down')
    if (state.isSlow) throw await aborted(init.signal!)
    if (url === 'http://queue/worker?name=bus')
      return Response.json({ status: true, content: { worker: { name: 'bus', oldest_due_at: state.oldestDue } } })
    if (url === 'http://queue/_health') return Response.json({ status: true, content: { state: 'up' } })
    if (url !== 'http://queue/task' || init.method !== 'POST') return new Response('', { status: 404 })
    const parsed = NewTask.pick({
      worker: true,
      key: true,
      url: true,
      json: true,
      delay: true,
      secret_headers: true,
      timeout: true,
      retries: true,
      retry_delay: true,
    })
      .strict()
      .safeParse(JSON.parse(init.body as string))
    if (!parsed.success) return Response.json({ status: false, status_code: 'invalid', message: '' }, { status: 400 })
    const id = `bus-${tasks.length}-${crypto.randomUUID()}`
    tasks.push({ ...parsed.data, json: JSON.parse(init.body as string).json, id } as unknown as Task)
    return Response.json({ status: true, content: { task: { id } } })
  }
  return Object.assign(state, { fetch })
}

/** A bus on one of the databases, with a separate simulated queue and further variables. */
export function busOn(database: Database, variables: Partial<Env> = {}) {
  const queue = standInQueue()
  const settings = boundOn(database, { ...variables, QUEUE: queue }) as Env
  const { worker, fetch } = startWith(Bus, settings)
  const as =
    (secret: string | undefined, more: Record<string, string> = {}): Fetch =>
    (url, init) =>
      fetch(url, { ...init, headers: { ...(secret !== undefined && { 'api-secret': secret }), ...more } })
  const send = (method: string, path: string, params?: object, secret: string | undefined = adminSecret) =>
    ask(method, path, params, as(secret))
  return {
    dialect: database.dialect,
    env: settings,
    bus: open(settings, schema),
    queue,
    fetch,
    as,
    send,
    sweep: () => worker.sweep(),
    /** Calls the API, by default as an administrator, and returns `content` of the reply. */
    content: async (method: string, path: string, params?: object, secret?: string) => {
      const { json } = await send(method, path, params, secret)
      return json.content as never as Record<string, never>
    },
    /** Sends the request of a task to the bus, as the queue would. */
    callBack: ({ id, url, json, secret_headers }: Task) =>
      ask('POST', new URL(url).pathname, json, as(undefined, { ...secret_headers, 'x-task-id': id })),
  }
}

export type TestedBus = ReturnType<typeof busOn>

/** A bus on each of the databases: `describe.each(buses())`. */
export const buses = (variables: Partial<Env> = {}, on = databases) => on.map((database) => busOn(database, variables))

let names = 0

/** A unique name for a collection or user. */
export const fresh = (prefix = 'c') => `${prefix}${names++}${crypto.randomUUID().slice(0, 8)}`

/** Creates a collection of a type, and a user with access to it: write access by default. */
export async function createCollectionAndUser(
  { content }: TestedBus,
  type: 'sync' | 'async' | 'storage',
  {
    handler = type === 'storage' ? undefined : target('/echo'),
    level = 'write',
  }: { handler?: string | undefined; level?: string } = {},
) {
  const { collection } = (await content('POST', '/collection', { name: fresh(), type, handler })) as unknown as {
    collection: { id: number; name: string }
  }
  const { client } = (await content('POST', '/client', { name: fresh('user') })) as unknown as {
    client: { id: number; name: string; secret: string }
  }
  await content('POST', '/access', { client: client.id, collection: collection.id, level })
  return { collection, client }
}
