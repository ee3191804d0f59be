// Tests uploads with an `Idempotency-Key`, whose bodies core does not read before the handler.
import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

const { default: core } = exports as unknown as { default: Fetcher }

/** Uploads 3 MB in chunks. Returns the reply and how many chunks were read. */
async function upload(key: string, query: Record<string, string>) {
  let read = 0
  const body = new ReadableStream({
    pull(controller) {
      if (read === 30) return controller.close()
      read++
      controller.enqueue(new Uint8Array(100_000))
    },
  })
  const init = { method: 'POST', body, headers: { 'idempotency-key': key }, duplex: 'half' }
  const response = await core.fetch(`http://core/upload?${new URLSearchParams(query)}`, init)
  return { status: response.status, json: await response.json(), read }
}

describe('an upload with an Idempotency-Key', () => {
  it('runs once, and a repeat is read to its end before it gets the stored reply', async () => {
    const first = await upload('upload-a', { what: 'upload-a' })
    expect(first).toEqual({ status: 200, json: { status: true, content: { bytes: 3_000_000, runs: 1 } }, read: 30 })
    expect(await upload('upload-a', { what: 'upload-a' })).toEqual(first)
  })

  it('is refused for another path or query, after its whole body was read', async () => {
    await upload('upload-b', { what: 'upload-b' })
    expect(await upload('upload-b', { what: 'upload-c' })).toMatchObject({
      status: 409,
      json: { status_code: 'idempotency_key_reused' },
      read: 30,
    })
  })

  it('runs again if the first one ended before its point of no return', async () => {
    expect(await upload('upload-d', { what: 'upload-d', fail: 'early' })).toMatchObject({ status: 409, read: 30 })
    expect(await upload('upload-d', { what: 'upload-d' })).toMatchObject({ json: { content: { runs: 2 } } })
  })
})
