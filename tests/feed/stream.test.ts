// Tests the live stream of a recipient: new records, changes, resuming, tokens and slow clients.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import { addRecords, tableOf } from '#feed/records'
import { schema } from '#feed/schema'
import Feed from '../../workers/feed/index.ts'
import { ask, type Fetch, startWith } from '../support/requests.ts'
import { isFull } from '../support/tier.ts'

interface Event {
  event: string
  id: string
  data: { id: number | null; is_read?: boolean; title?: string }
}

/** Opens the stream of a recipient. `next` waits for its next event. */
async function listen(
  recipient: string,
  params: Record<string, string> = {},
  headers: Record<string, string> = {},
  fetch: Fetch = (...sent) => exports.default.fetch(...sent),
) {
  const query = new URLSearchParams({ collection: 'news', recipient, ...params })
  const response = await fetch(`http://component/stream?${query}`, { headers })
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const block = async (): Promise<string> => {
    const end = text.indexOf('\n\n')
    if (end >= 0) {
      const found = text.slice(0, end)
      text = text.slice(end + 2)
      return found
    }
    const { value, done } = await reader.read()
    if (done) throw new Error('The stream has ended')
    text += value
    return block()
  }
  const next = async (): Promise<Event> => {
    const lines = (await block()).split('\n')
    const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    if (!field('event')) return next()
    return { event: field('event')!, id: field('id')!, data: JSON.parse(field('data')!) }
  }
  await block()
  return { next, leave: () => reader.cancel() }
}

const post = (path: string, params: object) => ask('POST', path, { collection: 'news', ...params })
const add = async (recipient: string, title: string) =>
  ((await post('/record', { recipient, title })).json.content as unknown as { record: { id: number } }).record.id

const isMarked = async (recipient: string) => {
  const { db, listeners } = open(env, schema)
  return (await db.select().from(listeners)).some((listener) => listener.recipient === recipient)
}
const audienceOf = async (recipient: string) => {
  const { db, collections } = open(env, schema)
  const [collection] = await db.select().from(collections)
  return env.AUDIENCE.getByName(`${collection!.id}/${recipient}`)
}

beforeAll(() => ask('POST', '/collection', { name: 'news' }))

describe('a stream', () => {
  it('sends new records and changes of read flags immediately', async () => {
    const { next, leave } = await listen('ann')
    const id = await add('ann', 'one')
    await add('bob', 'not hers')
    expect(await next()).toMatchObject({ event: 'record', data: { id, title: 'one', is_read: false } })
    await post('/record/read', { id })
    expect(await next()).toMatchObject({ event: 'read', data: { id, is_read: true } })
    await post('/record/unread', { id })
    expect(await next()).toMatchObject({ event: 'read', data: { id, is_read: false } })
    await post('/records/read', { recipient: 'ann' })
    expect(await next()).toMatchObject({ event: 'read', data: { id: null, is_read: true } })
    await post('/records', {
      records: [
        { recipient: 'ann', title: 'two' },
        { recipient: 'ann', title: 'three' },
      ],
    })
    expect(await next()).toMatchObject({ data: { title: 'two' } })
    expect(await next()).toMatchObject({ data: { title: 'three' } })
    await leave()
  })

  it('resumes after the last event id without missing or repeating events', async () => {
    const first = await listen('carl')
    const seen = await add('carl', 'seen')
    const { id } = await first.next()
    await first.leave()
    await add('carl', 'missed')
    await post('/record/read', { id: seen })
    const again = await listen('carl', {}, { 'last-event-id': id })
    expect(await again.next()).toMatchObject({ event: 'read', data: { id: seen, is_read: true } })
    const missed = await again.next()
    expect(missed).toMatchObject({ event: 'record', data: { title: 'missed' } })
    await add('carl', 'live')
    expect(await again.next()).toMatchObject({ data: { title: 'live' } })
    await again.leave()
    const byQuery = await listen('carl', { last_event_id: missed.id })
    expect(await byQuery.next()).toMatchObject({ data: { title: 'live' } })
    await byQuery.leave()
  })

  it('sends each event to all subscribers of a recipient', async () => {
    const [a, b] = [await listen('dora'), await listen('dora')]
    await add('dora', 'both')
    expect(await a.next()).toMatchObject({ data: { title: 'both' } })
    expect(await b.next()).toMatchObject({ data: { title: 'both' } })
    await a.leave()
    await add('dora', 'one')
    expect(await b.next()).toMatchObject({ data: { title: 'one' } })
    await b.leave()
  })

  it('sends each record of concurrent writes once, in order', async () => {
    const { next, leave } = await listen('busy')
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => add('busy', String(n))))
    const seen = []
    while (seen.length < ids.length) seen.push((await next()).data.id)
    expect(seen).toEqual(ids.toSorted((a, b) => a - b))
    await leave()
  })

  it('makes no call to the object of a recipient without subscribers', async () => {
    await add('eve', 'silent')
    expect(await isMarked('eve')).toBe(false)
    const { leave } = await listen('eve')
    expect(await isMarked('eve')).toBe(true)
    await leave()
    await expect.poll(() => isMarked('eve')).toBe(false)
  })

  it('disconnects a client that does not read, and discards its notices', async () => {
    const { fetch } = startWith(Feed, env)
    for (const title of ['one', 'two', 'three']) await add('idle', title)
    const { body } = await fetch('http://component/stream?collection=news&recipient=idle&last_event_id=0.0')
    await runInDurableObject(await audienceOf('idle'), (_, state) => {
      for (const socket of state.getWebSockets())
        for (let n = 0; n <= 1_000; n++) socket.send(JSON.stringify({ records: [], changes: [] }))
    })
    await expect.poll(() => isMarked('idle')).toBe(false)
    await expect(new Response(body).text()).rejects.toThrow()
  })

  it.runIf(isFull)('stays open while the database is down, and sends the missed events when it is up', async () => {
    const { DB } = env
    let [isDown, failures] = [false, 0]
    const prepare = (query: string) => {
      if (!isDown) return DB.prepare(query)
      failures++
      throw new Error('The database is down')
    }
    // The only batch is the one that reads the position at which the stream begins. After it the database is down.
    const batch: typeof DB.batch = async (statements) => {
      const results = await DB.batch(statements as never)
      isDown = true
      return results as never
    }
    const { fetch } = startWith(Feed, { ...env, DB: { prepare, batch } })
    const { next, leave } = await listen('patient', {}, {}, fetch)
    await expect.poll(() => failures).toBeGreaterThan(0)
    const feed = open(env, schema)
    await addRecords(feed, await tableOf(feed, 'news'), [{ recipient: 'patient', title: 'meanwhile' }])
    isDown = false
    expect(await next()).toMatchObject({ event: 'record', data: { title: 'meanwhile' } })
    await leave()
  })

  it('deletes the row of a subscriber that a crash left behind', async () => {
    const { db, listeners } = open(env, schema)
    const stale = async () => (await db.select().from(listeners)).find(({ recipient }) => recipient === 'gone')
    const { leave } = await listen('gone')
    const row = (await stale())!
    await leave()
    await expect.poll(stale).toBeUndefined()
    await db.insert(listeners).values(row)
    await add('gone', 'to nobody')
    await expect.poll(stale).toBeUndefined()
  })

  it('answers HEAD without subscribing', async () => {
    const head = await exports.default.fetch('http://component/stream?collection=news&recipient=head', {
      method: 'HEAD',
    })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const { db, listeners } = open(env, schema)
    expect((await db.select().from(listeners)).some(({ recipient }) => recipient === 'head')).toBe(false)
  })

  it('rejects an invalid last event id and an unknown collection', async () => {
    const refused = async (params: object) => (await ask('GET', '/stream', params)).json
    expect(await refused({ collection: 'news', recipient: 'a', last_event_id: 'x' })).toMatchObject({
      status_code: 'validation_failed',
    })
    expect(await refused({ collection: 'none', recipient: 'a' })).toMatchObject({ status_code: 'collection_not_found' })
    expect(await refused({ collection: 'news' })).toMatchObject({ errors: { recipient: expect.any(String) } })
  })
})

describe('a token', () => {
  const worker = new Feed(
    { waitUntil: () => undefined } as never,
    { ...env, LOCAL: 'false', AUTH_TOKENS: 'secret' } as never,
  )
  const statusOf = async (path: string, init?: RequestInit) => {
    const response = await worker.fetch(new Request(`http://component${path}`, init))
    await response.body?.cancel()
    return response.status
  }
  const issue = async () => {
    const body = JSON.stringify({ collection: 'news', recipient: 'tom' })
    const init = { method: 'POST', body, headers: { authorization: 'Bearer secret' } }
    const reply = await worker.fetch(new Request('http://component/stream/token', init))
    return ((await reply.json()) as { content: { token: string; expires_in: number; last_event_id: string } }).content
  }

  it('opens the stream of one recipient and gives no other access', async () => {
    const { token, expires_in } = await issue()
    expect(expires_in).toBe(60)
    expect(await statusOf(`/stream?collection=news&recipient=tom&token=${token}`)).toBe(200)
    expect(await statusOf(`/stream?collection=news&recipient=ann&token=${token}`)).toBe(401)
    expect(await statusOf(`/stream?collection=news&recipient=tom&token=${token}x`)).toBe(401)
    expect(await statusOf(`/stream?collection=news&recipient=tom`)).toBe(401)
    expect(await statusOf(`/stream?collection=none&recipient=tom&token=${token}`)).toBe(401)
    expect(await statusOf(`/record?collection=news&id=1&token=${token}`)).toBe(401)
    expect(await statusOf('/stream/token', { method: 'POST', body: '{}' })).toBe(401)
  })

  it('does not replace credentials, nor do credentials replace it: each of them must be valid', async () => {
    const { token } = await issue()
    const statusWith = (tokenSent: string, bearer: string) =>
      statusOf(`/stream?collection=news&recipient=tom&token=${tokenSent}`, {
        headers: { authorization: `Bearer ${bearer}` },
      })
    expect(await statusWith(token, 'secret')).toBe(200)
    expect(await statusWith(token, 'made-up')).toBe(401)
    expect(await statusWith('0'.repeat(64), 'secret')).toBe(401)
  })

  it('comes with the event id to start from', async () => {
    await add('tom', 'before')
    const { token, last_event_id } = await issue()
    await add('tom', 'after')
    const fetch: Fetch = async (url, init) => worker.fetch(new Request(url, init))
    const { next, leave } = await listen('tom', { token, last_event_id }, {}, fetch)
    expect(await next()).toMatchObject({ event: 'record', data: { title: 'after' } })
    await leave()
  })

  it('is valid for a minute', async () => {
    const { token } = await issue()
    const audience = await audienceOf('tom')
    await runInDurableObject(audience, (_, { storage }) => {
      for (const [key] of storage.kv.list({ prefix: 'token:' }))
        storage.kv.put(key, { until: Date.now() - 1, issuer: { kind: 'root' } })
    })
    expect(await statusOf(`/stream?collection=news&recipient=tom&token=${token}`)).toBe(401)
    await runDurableObjectAlarm(audience)
    expect(await runInDurableObject(audience, (_, { storage }) => [...storage.kv.list({ prefix: 'token:' })])).toEqual(
      [],
    )
  })

  it('is deleted after it expires, among any number of tokens', async () => {
    const audience = await audienceOf('tom')
    const later = Date.now() + 3_600_000
    const issuer = { kind: 'root' }
    await runInDurableObject(audience, async (_, { storage }) => {
      for (let n = 0; n < 2_500; n++) storage.kv.put(`token:${n}`, { until: n % 1_000 === 999 ? later : 0, issuer })
      await storage.setAlarm(later)
    })
    await issue()
    expect(await runInDurableObject(audience, (_, { storage }) => storage.getAlarm())).toBe(later)
    await runDurableObjectAlarm(audience)
    const left = await runInDurableObject(audience, async (_, { storage }) => {
      const expired = [...storage.kv.list<{ until: number }>({ prefix: 'token:' })].filter(
        ([, { until }]) => until === 0,
      )
      return { expired, isWoken: (await storage.getAlarm()) !== null, kept: storage.kv.get('token:999') }
    })
    expect(left).toEqual({ expired: [], isWoken: true, kept: { until: later, issuer: { kind: 'root' } } })
  })
})
