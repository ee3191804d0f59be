// Fake `data_url` of deliveries in tests: serves pages of recipients, or the faulty replies that its query names.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { textOf } from './text-of.ts'

interface PieceRequest {
  _min: number
  _max: number
  _gap: number
}

/** The n-th recipient, which has an address on every channel. */
export const recipient = (n: number) => ({
  locale: n % 2 === 0 ? 'en' : 'ru',
  email: `user${n}@example.com`,
  phone: String(77_000_000_000 + n),
  feed_collection: 'news',
  feed_recipient: `user${n}`,
  name: `Name ${n}`,
})

const requests = new Map<string, object[]>()

type Answer = (response: ServerResponse, page: object[], url: URL) => unknown

const json = (response: ServerResponse, value: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))

/** The replies by their kind: a right page (`good`), and all ways in which a page can be wrong. */
const kinds: Record<string, Answer> = {
  good: (response, content) => json(response, { status: true, content }),
  empty: (response) => json(response, { content: [] }),
  html: (response) => response.setHeader('content-type', 'text/html').end('<!doctype html><p>Sign in</p>'),
  strings: (response) => json(response, { content: ['ann@example.com', 'bob@example.com'] }),
  mixed: (response, content) => json(response, { content: [...content, null] }),
  nothing: (response) => json(response, { status: true }),
  object: (response, content) => json(response, { content: { ...content } }),
  text: (response) => json(response, { content: 'x'.repeat(100) }),
  array: (response, content) => json(response, content),
  cut: (response, content) => {
    response.writeHead(200, { 'content-length': 1_000_000 })
    response.write(JSON.stringify({ content }).slice(0, -2))
    setImmediate(() => response.destroy())
  },
  half: (response, content) => response.end(JSON.stringify({ content }).slice(0, -2)),
  error: (response) => response.writeHead(500).end(),
  moved: (response) => response.writeHead(302, { location: 'http://user:secret@10.0.0.1/' }).end(),
  never: () => undefined,
  slowly: async (response, content, url) => {
    response.write(JSON.stringify({ content }).slice(0, -2))
    await released(url.searchParams.get('key')!)
    response.end(']}')
  },
  stalls: (response, content) => response.write(JSON.stringify({ content }).slice(0, -2)),
  huge: (response) => flood(response, `${JSON.stringify({ name: 'x'.repeat(10_000) })},`, 10_000),
  wide: (response) => flood(response, 'x'.repeat(10_000), 10_000, '{"content":["'),
  some: (response) =>
    json(response, {
      content: [
        { locale: 'en', email: ' one@example.com ', phone: '+7 (701) 000-00-01', feed_collection: 'news' },
        { locale: 'en', email: '', phone: 77010000002, feed_recipient: 'ann' },
        { locale: 5, email: 'three@example.com', phone: '' },
        { locale: 'en', email: null, phone: 1.5, feed_collection: '', feed_recipient: '' },
        {},
      ],
    }),
  fat: (response) =>
    json(response, {
      content: [
        { phone: '77010000001', name: 'x'.repeat(40_000) },
        { phone: '77010000002', name: nested(50) },
        { phone: '77010000003', name: 'x'.repeat(30_000) },
      ],
    }),
  said: (response, _, url) => response.end(`{"content":${url.searchParams.get('content')}}`),
  many: (response) => flood(response, '{},', 10_001),
}

const nested = (levels: number): unknown[] => (levels === 0 ? [] : [nested(levels - 1)])

const waiting = new Map<string, () => void>()

/** Waits until a test calls `/go` with this key. */
const released = (key: string) => new Promise<void>((go) => waiting.set(key, go))

/** Writes a text many times, no faster than the client reads. */
async function flood(response: ServerResponse, text: string, times: number, before = '{"content":[') {
  response.write(before)
  const block = text.repeat(100)
  for (let n = 0; n < times && !response.destroyed; n += 100)
    if (!response.write(block.slice(0, text.length * Math.min(100, times - n)))) await pause(1)
  response.end('{}]}')
}

/**
 * Serves `/recipients`, and records the requests under `key`. `kind` is a comma-separated list of kinds of replies for
 * the first, second … request of each piece, the last for all later ones; `status-503` replies with that status, and
 * `said` with the query parameter `content`. `bare` leaves out the locales, `same` gives all recipients one email, and
 * `poison` is the first number of a piece that always fails.
 */
async function recipients(url: URL, request: IncomingMessage, response: ServerResponse) {
  const key = url.searchParams.get('key') ?? ''
  const sent = JSON.parse((await textOf(request)) || '{}') as PieceRequest
  const all = requests.get(key) ?? []
  const nth = all.filter((one) => (one as PieceRequest)._min === sent._min).length
  requests.set(key, [...all, sent])
  const sequence = (url.searchParams.get('kind') ?? 'good').split(',')
  const page = Array.from({ length: sent._max - sent._min + 1 }, (_, i) => changed(url, recipient(sent._min + i)))
  const kind = sequence[nth] ?? sequence.at(-1)!
  if (url.searchParams.get('poison') === String(sent._min)) kinds.error!(response, page, url)
  else if (kind.startsWith('status-')) response.writeHead(Number(kind.slice(7))).end()
  else await kinds[kind]!(response, page, url)
}

function changed(url: URL, { locale, ...one }: ReturnType<typeof recipient>): object {
  const bare = url.searchParams.has('bare') ? one : { locale, ...one }
  return url.searchParams.has('same') ? { ...bare, email: 'All@Example.com' } : bare
}

export const behaviours = {
  '/recipients': recipients,
  '/go': (url: URL, _: IncomingMessage, response: ServerResponse) => {
    waiting.get(url.searchParams.get('key')!)?.()
    response.end()
  },
  '/asked': (url: URL, _: IncomingMessage, response: ServerResponse) =>
    json(response, requests.get(url.searchParams.get('key') ?? '') ?? []),
}
