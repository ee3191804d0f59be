// Tests that the runtime stores a file far larger than its memory limit, by form and by tus.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { noise } from './noise.ts'
import { ask, bytesOf, type Item, peakOf, runtimePid, startMedia } from './service.ts'

const size = 500_000_000
const piece = noise(1_000_000)

/**
 * Allowed growth of the runtime's memory in bytes: far less than the file, and less than two copies of any part would
 * take.
 */
const maxGrowthBytes = 300_000_000

let stack: Stack
let before: number

beforeEach(async () => {
  stack = await startMedia({ variables: { UPLOAD_MAX_FILESIZE: '1000000' } })
  await (await fetch(`${stack.url}/media/file/none`)).arrayBuffer()
  before = peakOf(runtimePid()!)
})

afterEach(() => stack.dispose())

/**
 * Yields the bytes of the file while it is sent, between `head` and `tail`, so that the test itself needs no memory for
 * it.
 */
async function* file(head = '', tail = '') {
  yield Buffer.from(head)
  for (let sent = 0; sent < size; sent += piece.length) yield piece
  yield Buffer.from(tail)
}

async function send(url: string, method: string, headers: Record<string, string>, body: AsyncGenerator<Buffer>) {
  const sent = request(url, { method, headers })
  const replied = once(sent, 'response')
  await pipeline(body, sent)
  const [reply] = (await replied) as [IncomingMessage]
  return { headers: reply.headers, json: async () => JSON.parse(await text(reply)) }
}

async function expectStored(digest: string) {
  const url = `${stack.url}/media/file/${digest}`
  expect((await ask(`${url}/info`)).json).toMatchObject({ size })
  for (const start of [0, size / 2, size - piece.length]) {
    const range = `bytes=${start}-${start + piece.length - 1}`
    expect(piece.equals(await bytesOf(url, { headers: { range } }))).toBe(true)
  }
  expect(peakOf(runtimePid()!) - before).toBeLessThan(maxGrowthBytes)
}

// Skipped elsewhere: only Linux shows the memory of a process as a file.
describe.runIf(existsSync('/proc/self/status'))('a file far larger than the memory limit of the runtime', () => {
  it('is stored from a form upload', async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const reply = await send(`${stack.url}/media/file`, 'POST', headers, file(head, '\r\n--b--\r\n'))
    await expectStored(((await reply.json()) as Item).digest)
  })

  it('is stored from one tus request', async () => {
    const version = { 'tus-resumable': '1.0.0' }
    const begun = await fetch(`${stack.url}/media/tus`, {
      method: 'POST',
      headers: { ...version, 'upload-length': String(size) },
    })
    const headers = { ...version, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const reply = await send(begun.headers.get('location')!, 'PATCH', headers, file())
    await expectStored(String(reply.headers['media-digest']))
  })
})
