// Tests that an open stream of the feed ends with the credential that opened it, or that requested its token.
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import Feed from '../../workers/feed/index.ts'
import { accessWith } from '../support/access-stand-in.ts'
import { startWith } from '../support/requests.ts'

const secondMs = 1_000

/** A component whose key and token open streams. The clock is set. */
async function start() {
  const access = await accessWith(['feed:*'])
  const { fetch, send } = startWith(Feed, { ...env, AUTH_TOKENS: 'root', ACCESS: access.ACCESS })
  const recipient = crypto.randomUUID()
  const asRoot = { authorization: 'Bearer root' }
  await send('POST', '/collection', { name: 'news' }, asRoot)
  const add = (title: string) => send('POST', '/record', { collection: 'news', recipient, title }, asRoot)
  const streamTokenOf = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
    const { json } = await send('POST', '/stream/token', { collection: 'news', recipient }, headers)
    return (json.content as unknown as { token: string }).token
  }
  const query = `collection=news&recipient=${recipient}`
  const statusOf = async (token: string) => (await fetch(`http://component/stream?${query}&token=${token}`)).status
  const open = async (params: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://component/stream?${query}${params}`, { headers })
    expect(response.status).toBe(200)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const { value } = await reader.read()
    expect(value).toMatch(/^: listening/)
    /** What the stream sends, until it ends. */
    const rest = async () => {
      let text = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
      return text
    }
    return { read: async () => (await reader.read()).value, rest, leave: () => reader.cancel() }
  }
  return { ...access, add, open, streamTokenOf, statusOf }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * secondMs)

type Started = Awaited<ReturnType<typeof start>>

const bearer = (token: string) => ['', { authorization: `Bearer ${token}` }] as const

/** The ways to open a stream, by the parameters and headers that open it. */
const ways: Record<string, (started: Started) => Promise<readonly [string, Record<string, string>?]>> = {
  'a key': async ({ secret }) => bearer(secret),
  'a token': async ({ token }) => bearer(await token()),
  'a token in the query': async ({ token }) => [`&token=${await token()}`],
  'a token of the stream that a key requested': async (started) => [
    `&token=${await started.streamTokenOf(started.secret)}`,
  ],
  'a token of the stream that a token requested': async (started) => [
    `&token=${await started.streamTokenOf(await started.token())}`,
  ],
}

describe.each(Object.entries(ways))('a stream that was opened with %s', (_, way) => {
  it('sends events without calls of access while its key is known, and ends after the key is deleted', async () => {
    const started = await start()
    const { open, add, state, deleteKey } = started
    const { read, rest } = await open(...(await way(started)))
    const { reads } = state
    pass(20)
    await add('one')
    expect(await read()).toContain('one')
    expect(state.reads).toBe(reads)
    deleteKey()
    pass(30)
    await add('two')
    expect(await rest()).toBe(': the credentials are not valid any more\n\n')
  })
})

describe.each(Object.entries(ways).filter(([name]) => name.includes('key')))('a stream of %s', (_, way) => {
  it('ends after a rotation has ended the secret', async () => {
    const started = await start()
    const { read, rest } = await started.open(...(await way(started)))
    await started.add('one')
    expect(await read()).toContain('one')
    await started.rotateKey()
    pass(30)
    await started.add('two')
    expect(await rest()).toBe(': the credentials are not valid any more\n\n')
  })
})

describe('a stream of a token', () => {
  it('ends at the first event after the token has expired', async () => {
    const { open, token, add } = await start()
    const { read, rest } = await open(...bearer(await token(60)))
    await add('one')
    expect(await read()).toContain('one')
    pass(61)
    await add('two')
    expect(await rest()).toBe(': the credentials are not valid any more\n\n')
  })

  it('ends at a heartbeat after the token has expired, with one call of access in 25 s at most', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const { open, token, state } = await start()
    const { rest } = await open(...bearer(await token(60)))
    await vi.waitUntil(() => vi.getTimerCount() > 0)
    const { reads } = state
    const text = rest()
    for (const [seconds, calls] of [
      [15, 0],
      [30, 1],
    ]) {
      await vi.advanceTimersByTimeAsync(seconds! * secondMs)
      expect(state.reads - reads).toBe(calls)
    }
    await vi.advanceTimersByTimeAsync(45 * secondMs)
    expect(await text).toMatch(/^(: still here\n\n)+: the credentials are not valid any more\n\n$/)
  })

  it('is not opened with a token of the stream after the key was deleted', async () => {
    const { secret, streamTokenOf, statusOf, deleteKey } = await start()
    const streamToken = await streamTokenOf(secret)
    expect(await statusOf(streamToken)).toBe(200)
    deleteKey()
    pass(30)
    expect(await statusOf(streamToken)).toBe(401)
  })
})

it('a stream of a root token stays open', async () => {
  const { open, add, streamTokenOf } = await start()
  const streams = [await open(...bearer('root')), await open(`&token=${await streamTokenOf('root')}`)]
  pass(100_000)
  await add('one')
  for (const { read, leave } of streams) {
    expect(await read()).toContain('one')
    await leave()
  }
})
