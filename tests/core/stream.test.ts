// Tests HTTP requests whose responses are streamed.
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { type StreamLimits, stream } from '#core/outgoing/stream'

const target = `http://127.0.0.1:${inject('targetPort')}`
const local = { ALLOW_PRIVATE_TARGETS: 'true' }

/** The two transports: with a JSON body a GET is sent over a socket, without one by `fetch`. */
const ways = [undefined, { a: 1 }]

const open = (path: string, json: object | undefined, limits: StreamLimits = {}) =>
  stream(local, { method: 'GET', url: target + path, json }, limits)

async function textOf(path: string, json: object | undefined, limits: StreamLimits = {}) {
  const { chunks } = await open(path, json, limits)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true })
  return text
}

describe.each(ways)('a streamed call with the JSON %j', (json) => {
  it('yields the body as it arrives', async () => {
    const { status, headers, chunks } = await open('/chunks', json)
    const texts: string[] = []
    for await (const chunk of chunks) texts.push(new TextDecoder().decode(chunk))
    expect([status, headers.get('transfer-encoding') ?? 'chunked']).toEqual([200, 'chunked'])
    expect(texts).toEqual(['one,', 'two'])
  })

  it('yields a large body completely, and an empty one', async () => {
    expect(await textOf('/large', json)).toBe('x'.repeat(100_000))
    expect(await textOf('/empty?status=204', json)).toBe('')
  })

  it('can be stopped before its end', async () => {
    const { chunks } = await open('/large', json)
    for await (const chunk of chunks) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    expect(await textOf('/chunks', json)).toBe('one,two')
  })

  it('can be cancelled without reading it', async () => {
    const { cancel, chunks } = await open('/large', json)
    cancel()
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'Failure' })
    expect(await textOf('/chunks', json)).toBe('one,two')
  })

  it('refuses a body over the maximum size, with or without Content-Length', async () => {
    const limits = { most: 5 }
    await expect(textOf('/large', json, limits)).rejects.toMatchObject({ code: 'answer_too_large' })
    await expect(textOf('/chunks', json, limits)).rejects.toMatchObject({ code: 'answer_too_large' })
  })

  it('times out if the response does not begin or stops', async () => {
    const timeout = { status: 504 }
    await expect(open('/never', json, { idle: 50 })).rejects.toMatchObject(timeout)
    await expect(open('/never', json, { timeout: 50 })).rejects.toMatchObject(timeout)
    await expect(textOf('/stalls', json, { idle: 50 })).rejects.toMatchObject(timeout)
  })

  it('does not time out while the reader is busy', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { chunks } = await open('/chunks', json, { idle: 1_000, timeout: 1e9 })
    let text = ''
    for await (const chunk of chunks) {
      vi.advanceTimersByTime(1e6)
      text += new TextDecoder().decode(chunk)
    }
    expect(text).toBe('one,two')
  })

  it('fails if the response is cut off', async () => {
    await expect(textOf('/cut', json)).rejects.toMatchObject({ status: 502 })
  })

  it('follows redirects, and checks each URL', async () => {
    const to = encodeURIComponent(`${target}/chunks`)
    expect(await textOf(`/redirect?to=${to}`, json)).toBe('one,two')
    const bad = encodeURIComponent('http://user:secret@a.dev/')
    await expect(open(`/redirect?to=${bad}`, json)).rejects.toMatchObject({ code: 'address_refused' })
  })

  it('throws the errors of the reader unchanged', async () => {
    const take = async () => {
      for await (const _ of (await open('/chunks', json)).chunks) throw new RangeError('mine')
    }
    await expect(take()).rejects.toThrow(new RangeError('mine'))
  })
})
