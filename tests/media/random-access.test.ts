// Tests the reading of parts of a file in R2: cache, read-ahead and read limit.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mediabunnySource, openBytes, openR2File, ReadLimitExceeded } from '#media/random-access'
import { inStorage } from '../support/media/clips.ts'
import { runs } from '../support/tier.ts'

const kilobytes = (count: number) => Uint8Array.from({ length: count * 1024 }, (_, i) => (i * 31 + (i >> 8)) & 255)

/** The bucket, with a record of the ranges that were fetched. */
function watched() {
  const fetched: [number, number][] = []
  const bucket = new Proxy(env.FILES, {
    get: (target, name) =>
      name === 'get'
        ? (key: string, options: { range: { offset: number; length: number } }) => {
            fetched.push([options.range.offset, options.range.length])
            return target.get(key, options)
          }
        : Reflect.get(target, name),
  })
  return { bucket, fetched }
}

describe('a file in R2', () => {
  it('returns the same bytes as the file for any ranges', async () => {
    const bytes = kilobytes(3000)
    const ranges = await inStorage(bytes, 2 ** 40)
    const place = fc.integer({ min: 0, max: bytes.length + 10 })
    const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i])
    await fc.assert(
      fc.asyncProperty(place, fc.oneof(fc.integer({ min: 0, max: 2000 }), place), async (start, length) => {
        expect(same(await ranges.read(start, start + length), bytes.subarray(start, start + length))).toBe(true)
      }),
      { numRuns: runs(40) },
    )
  })

  it('is fetched once when read in small pieces', async () => {
    const { bucket, fetched } = watched()
    await env.FILES.put('bits', kilobytes(1200))
    const ranges = openR2File(bucket, 'bits', 1200 * 1024)
    for (let at = 0; at < ranges.size; at += 1000) await ranges.read(at, at + 1000)
    expect(fetched).toEqual([
      [0, 512 * 1024],
      [512 * 1024, 512 * 1024],
      [1024 * 1024, 176 * 1024],
    ])
  })

  it('is prefetched when read sequentially, and not when read randomly', async () => {
    const { bucket, fetched } = watched()
    await env.FILES.put('ahead', kilobytes(4096))
    const ranges = openR2File(bucket, 'ahead', 4096 * 1024)
    await ranges.read(0, 1)
    await ranges.read(4_000_000, 4_000_001)
    expect(fetched).toHaveLength(2)
    await ranges.read(1024 * 1024, 1024 * 1024 + 1)
    await ranges.read(1536 * 1024, 1536 * 1024 + 1)
    expect(fetched).toHaveLength(6)
  })

  it('fetches a long range in one request', async () => {
    const { bucket, fetched } = watched()
    await env.FILES.put('long', kilobytes(4096))
    const ranges = openR2File(bucket, 'long', 4096 * 1024)
    expect((await ranges.read(1000, 4_000_000)).length).toBe(3_999_000)
    expect(fetched).toEqual([[1000, 3_999_000]])
  })

  it('throws past the read limit', async () => {
    const ranges = await inStorage(kilobytes(4096), 1024 * 1024)
    await ranges.read(0, 1)
    await ranges.read(3_000_000, 3_000_001)
    await expect(ranges.read(2_000_000, 2_000_001)).rejects.toThrow(ReadLimitExceeded)
    await expect(ranges.read(0, 1)).resolves.toHaveLength(1)
  })

  it('throws 404 after its deletion', async () => {
    await expect(openR2File(env.FILES, 'never', 10).read(0, 10)).rejects.toMatchObject({ code: 'file_not_found' })
  })
})

describe('any file', () => {
  it('returns nothing outside of the file', async () => {
    const ranges = openBytes(Uint8Array.of(1, 2, 3))
    expect(await ranges.read(2, 100)).toEqual(Uint8Array.of(3))
    expect(await ranges.read(3, 4)).toHaveLength(0)
    expect(await ranges.read(-2, -1)).toHaveLength(0)
  })

  it('reports its size to mediabunny', async () => {
    expect(await mediabunnySource(await inStorage(kilobytes(1))).getSize()).toBe(1024)
  })
})
