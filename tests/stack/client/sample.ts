// The code of an application that uses the API client. package.test.ts runs it in Node, in a Worker and in a browser,
// and compiles it with the package's types.
import {
  isErrorOf,
  NoReplyError,
  type Params,
  QuartermasterError,
  quartermaster,
  type Reply,
  type UnknownCode,
} from '#client/index'

interface Place {
  url: string
  token: string
  /** Unique prefix for the names of the test's data. */
  name: string
}

/** Uses the API at an address, and returns the results. */
export async function use({ url, token, name }: Place) {
  const q = quartermaster({ url, token })
  const event = firstEvent(q, name)
  const { task } = await q.queue.post('/task', { worker: 'default', url: `${url}/catcher/${name}?a=ы`, json: { n: 1 } })
  const caught = await q.catcher.get('/_last_request_', { path: `/${name}`, wait: 20 })
  return {
    task: typeof task?.id,
    caught: [caught?.method, caught?.query, caught?.json],
    event: await event,
    records: await feedOf(q, name),
    file: await fileOf(q),
    refusal: await refusalOf(q),
    stranger: await refusalOf(quartermaster({ url })),
    nobody: await refusalOf(quartermaster({ url: 'http://127.0.0.1:1', retries: 0 })),
  }
}

type Client = ReturnType<typeof quartermaster>

async function firstEvent(q: Client, name: string) {
  for await (const { event, data } of q.catcher.events('/_requests_/stream', { last_event_id: 0 })) {
    const { path } = data as { path: string }
    if (path.endsWith(`/${name}`)) return event
  }
}

async function feedOf(q: Client, collection: string) {
  await q.feed.post('/collection', { name: collection })
  const threads = ['a,b', '["a"]', 'ы &=?#%', '10', 'other']
  for (const thread of threads) await q.feed.post('/record', { collection, recipient: 'ann', title: 'Hello', thread })
  const params: Params<'feed', 'get', '/records'> = { collection, recipient: 'ann', order: 'asc', count: true }
  const several: Reply<'feed', 'get', '/records'> = await q.feed.get('/records', {
    ...params,
    thread: threads.slice(0, 4),
  })
  const one = await q.feed.get('/records', { ...params, thread: threads[1], is_read: false })
  await q.feed.delete('/records', { collection, recipient: 'ann' })
  return [several.records.map(({ thread }) => thread), several.nb_results, one.records.map(({ thread }) => thread)]
}

async function fileOf(q: Client) {
  const stored = await q.media.post('/file', { file: new File(['héllo'], 'ы.txt', { type: 'text/plain' }) })
  const reply = await q.media.get('/file/{digest}', { digest: stored.digest })
  const info = await q.media.get('/file/{digest}/info', { digest: stored.digest })
  await q.media.delete('/file/{digest}', { digest: stored.digest })
  return [stored.name, info.size, await reply.text(), reply.headers.get('content-type')]
}

async function refusalOf(q: Client) {
  try {
    await q.queue.get('/task', { id: 'no-such-task' })
    return undefined
  } catch (error) {
    if (error instanceof NoReplyError) return [error.reason, error.attempts]
    if (error instanceof QuartermasterError) return [error.status, error.code, typeof error.requestId, error.attempts]
    throw error
  }
}

/**
 * Shows that the types are exhaustive: after a `switch` over all codes of an operation, the rest has the type `never`.
 */
export function explain(error: unknown): string {
  if (!isErrorOf<'badge', 'delete', '/badge'>(error)) throw error
  switch (error.code) {
    case 'badge_not_found':
    case 'validation_failed':
    case 'invalid_json':
    case 'payload_too_large':
      return 'the caller'
    case 'unauthorized':
    case 'cross_site_request':
    case 'insufficient_scope':
    case 'out_of_bounds':
      return 'the credentials'
    case 'not_configured': {
      // @ts-expect-error: a known code must not be assignable to an unknown one
      const early: UnknownCode = error.code
      return early
    }
    case 'rate_limit':
    case 'unavailable':
      return 'later'
    case 'internal_error':
      return 'the operator'
    default: {
      const unknown: UnknownCode = error.code
      return unknown
    }
  }
}

/** Statements that must each be a compile error. Never run. */
export async function typeErrors(q: Client) {
  // @ts-expect-error: the path does not exist
  await q.queue.post('/tasks', {})
  // @ts-expect-error: the path does not accept this method
  await q.queue.put('/task', {})
  // @ts-expect-error: a required parameter is missing
  await q.queue.post('/task', { worker: 'default' })
  // @ts-expect-error: all required parameters are missing
  await q.queue.post('/task')
  // @ts-expect-error: the parameter does not exist
  await q.queue.post('/task', { worker: 'default', url: 'http://a', colour: 'red' })
  // @ts-expect-error: the parameter is a number, not a text
  await q.feed.get('/records', { collection: 'a', limit: '10' })
  // @ts-expect-error: the parameter accepts only two words
  await q.feed.get('/records', { collection: 'a', order: 'up' })
  // @ts-expect-error: the operation takes no parameters
  await q.queue.get('/workers', { a: 1 })
  // @ts-expect-error: the operation takes no idempotency key
  await q.queue.get('/workers', {}, { idempotencyKey: 'a' })
  // @ts-expect-error: the variable of the path is missing
  await q.media.get('/file/{digest}/info', {})
  // @ts-expect-error: the parameter is a file, not a text
  await q.media.post('/file', { file: 'text' })
  // @ts-expect-error: the operation is not a stream
  q.catcher.events('/_requests_', {})
  // @ts-expect-error: the reply does not have this key
  return (await q.queue.get('/workers')).tasks
}
