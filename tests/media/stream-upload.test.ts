// Tests the streaming of uploads into R2, as one object or in parts.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Env } from '#media/bindings'
import { partBytes, splitIntoParts, uploadStream } from '#media/stream-upload'
import { runs } from '../support/tier.ts'
import { noise, otherwise, sha } from './support.ts'

const { FILES } = env as unknown as Env

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const newKey = () => `uploadStream-${crypto.randomUUID()}/file`

describe('a streamed upload', () => {
  it.each([
    [0, 10],
    [1, 10],
    [partBytes - 1, 1_000_000],
    [partBytes, partBytes],
    [partBytes + 1, 3_333_333],
    [3 * partBytes, 5 * partBytes],
    [3 * partBytes + 5, 7_777_777],
  ])('of %i bytes in chunks of %i is stored unchanged', async (size, piece) => {
    const key = newKey()
    const begun: string[] = []
    const bytes = noise(size, piece)
    const { size: stored, bytes: content } = await uploadStream(
      FILES,
      key,
      inPieces(bytes, piece),
      size,
      async (id) => {
        begun.push(id)
      },
    )

    expect(stored).toBe(size)
    expect(await sha(await (await FILES.get(key))!.bytes())).toBe(await sha(bytes))
    expect(content && (await sha(content))).toBe(size < partBytes ? await sha(bytes) : undefined)
    expect(begun).toHaveLength(size < partBytes ? 0 : 1)
  })

  it('is rejected at the first byte past the limit', async () => {
    for (const size of [10, partBytes, partBytes + 10, 2 * partBytes + 1]) {
      const key = newKey()
      const taking = uploadStream(FILES, key, inPieces(noise(size), 1_000_000), size - 1, async () => undefined)
      await expect(taking).rejects.toMatchObject({ name: 'Failure', status: 413 })
      expect(await FILES.head(key)).toBeNull()
    }
  })

  it('buffers at most two parts', async () => {
    let [pulled, taken, most] = [0, 0, 0]
    const watch = (upload: R2MultipartUpload) =>
      otherwise(upload, {
        uploadPart: async (number, bytes) => {
          const part = await upload.uploadPart(number, bytes)
          taken += (bytes as Uint8Array).length
          return part
        },
      })
    const files = otherwise(FILES, {
      createMultipartUpload: async (key) => watch(await FILES.createMultipartUpload(key)),
    })
    const piece = noise(1_000_000)
    async function* stream() {
      for (let i = 0; i < 60; i++) {
        yield piece
        pulled += piece.length
        most = Math.max(most, pulled - taken)
      }
    }

    await uploadStream(files, newKey(), stream(), 1e9, async () => undefined)

    expect(pulled).toBe(60_000_000)
    expect(most).toBeLessThan(2 * partBytes + 2 * piece.length)
  })

  it('aborts the multipart upload if the stream fails, and throws its error', async () => {
    const key = newKey()
    const begun: string[] = []
    async function* broken() {
      yield noise(partBytes + 1)
      throw new Error('gone')
    }
    const taking = uploadStream(FILES, key, broken(), 1e9, async (id) => {
      begun.push(id)
    })
    await expect(taking).rejects.toThrow('gone')

    expect(await FILES.head(key)).toBeNull()
    await expect(FILES.resumeMultipartUpload(key, begun[0]!).uploadPart(1, 'x')).rejects.toThrow()
  })

  it('aborts the multipart upload if its id cannot be recorded', async () => {
    const key = newKey()
    const begun: string[] = []
    const refuse = async (id: string) => {
      begun.push(id)
      throw new Error('no database')
    }
    await expect(uploadStream(FILES, key, inPieces(noise(partBytes), partBytes), 1e9, refuse)).rejects.toThrow(
      'no database',
    )
    await expect(FILES.resumeMultipartUpload(key, begun[0]!).uploadPart(1, 'x')).rejects.toThrow()
  })
})

it('has parts of equal size, and the rest as the last part', async () => {
  const pieces = fc.array(fc.nat(3 * partBytes), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(pieces, async (sizes) => {
      async function* stream() {
        for (const size of sizes) yield new Uint8Array(size)
      }
      const parts: number[] = []
      for await (const part of splitIntoParts(stream())) parts.push(part.length)

      const total = sizes.reduce((sum, size) => sum + size, 0)
      const full = Math.floor(total / partBytes)
      expect(parts).toEqual([...Array(full).fill(partBytes), ...(total % partBytes ? [total % partBytes] : [])])
    }),
    { numRuns: runs(30) },
  )
})
