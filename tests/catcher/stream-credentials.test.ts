// Tests that an open stream of the catcher ends with the credential that opened it.
import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import Catcher from '../../workers/catcher/index.ts'
import { accessWith } from '../support/access-stand-in.ts'
import { startWith } from '../support/requests.ts'

const heartbeatMs = 15_000

async function start() {
  const access = await accessWith(['catcher:read'])
  const { fetch } = startWith(Catcher, { ...env, AUTH_TOKENS: 'root', ACCESS: access.ACCESS })
  const space = crypto.randomUUID()
  const capture = (path: string) =>
    fetch(`http://catcher.example${path}`, { method: 'POST', headers: { 'x-catcher-space': space } })
  const open = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` }
    const { body } = await fetch(`http://catcher.example/_requests_/stream?space=${space}`, { headers })
    return body!.pipeThrough(new TextDecoderStream()).getReader()
  }
  return { ...access, capture, open }
}

/** What a stream sends, until it ends. */
async function rest(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  return text
}

const end = /: the credentials are not valid any more\n\n$/

afterEach(() => {
  vi.useRealTimers()
})

it.each(['key', 'token'])('ends at a heartbeat after the key was deleted, if it was opened with a %s', async (kind) => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
  const { open, secret, token, state, deleteKey } = await start()
  const text = open(kind === 'key' ? secret : await token()).then(rest)
  await vi.waitUntil(() => vi.getTimerCount() > 0)
  const { reads } = state
  await vi.advanceTimersByTimeAsync(heartbeatMs)
  expect(state.reads).toBe(reads)
  deleteKey()
  await vi.advanceTimersByTimeAsync(2 * heartbeatMs)
  await vi.advanceTimersByTimeAsync(heartbeatMs)
  expect(await text).toMatch(end)
})

it('sends no request after the token has expired', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { open, token, capture } = await start()
  const reader = await open(await token(60))
  await reader.read()
  await capture('/one')
  expect((await reader.read()).value).toContain('/one')
  vi.setSystemTime(Date.now() + 61_000)
  await capture('/two')
  expect(await rest(reader)).toMatch(end)
})
