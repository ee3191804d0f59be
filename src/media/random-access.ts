// Reads parts of a file in R2 for the readers of video and audio headers, with read-ahead, an LRU cache of blocks, and a limit on
// the bytes read.
import { CustomSource } from 'mediabunny'
import { concat } from '#core/chunks'
import { missing } from './errors.ts'

/** A file that can be read at any position, in R2 or in memory. */
export interface RandomAccessFile {
  readonly size: number
  /**
   * Returns the bytes from `start` to `end`, or to the end of the file. The caller must not modify them: they are a view of the
   * cache.
   */
  read(start: number, end: number): Promise<Uint8Array>
}

/** Thrown when more bytes of a file are read than allowed: the file may be crafted to keep its reader busy. */
export class ReadLimitExceeded extends Error {
  override readonly name = 'ReadLimitExceeded'
}

const blockBytes = 512 * 1024
/** Number of blocks in the LRU cache. */
const maxCachedBlocks = 8
/** Number of blocks that are fetched ahead when a block is read directly after the previous one. */
const readAheadBlocks = 2
/** Reads of at least this size bypass the cache, which would otherwise lose all its blocks to one read. */
const minDirectReadBytes = 4 * blockBytes

/** Opens an object of R2 for reading. A read throws `ReadLimitExceeded` when more than `maxReadBytes` in total are fetched. */
export function openR2File(
  bucket: R2Bucket,
  key: string,
  size: number,
  maxReadBytes = 128 * 1024 * 1024,
): RandomAccessFile {
  const blocks = new Map<number, Promise<Uint8Array>>()
  const last = Math.ceil(size / blockBytes) - 1
  let left = maxReadBytes
  let latest = -1

  async function fetchRange(start: number, end: number): Promise<Uint8Array> {
    // A range that is shorter than a block counts as a whole block. Many tiny reads thus reach the limit too, which bounds the
    // number of requests to R2.
    left -= Math.max(end - start, blockBytes)
    if (left < 0) throw new ReadLimitExceeded()
    const object = await bucket.get(key, { range: { offset: start, length: end - start } })
    if (!object) throw missing('file')
    return object.bytes()
  }

  function blockAt(index: number): Promise<Uint8Array> {
    const found = blocks.get(index) ?? fetchRange(index * blockBytes, Math.min((index + 1) * blockBytes, size))
    blocks.delete(index)
    blocks.set(index, found)
    // Removes a failed block, so that the next read fetches it again. The caller that awaits the block still gets the error; a
    // prefetched block may have no caller, and its rejection would be unhandled.
    found.catch(() => blocks.delete(index))
    for (const oldest of blocks.keys()) if (blocks.size > maxCachedBlocks) blocks.delete(oldest)
    return found
  }

  function nextBlock(index: number): Promise<Uint8Array> {
    const isSequential = index === latest + 1 && index > 0
    latest = index
    const current = blockAt(index)
    const until = isSequential ? Math.min(index + readAheadBlocks, last) : index
    for (let next = index + 1; next <= until && left > (readAheadBlocks + 1) * blockBytes; next++) blockAt(next)
    return current
  }

  async function read(start: number, end: number): Promise<Uint8Array> {
    const to = Math.min(end, size)
    if (start < 0 || start >= to) return new Uint8Array()
    if (to - start >= minDirectReadBytes) return fetchRange(start, to)
    const first = Math.floor(start / blockBytes)
    const head = first === latest ? await blockAt(first) : await nextBlock(first)
    if (to <= (first + 1) * blockBytes) return head.subarray(start - first * blockBytes, to - first * blockBytes)
    const rest = await read((first + 1) * blockBytes, to)
    return concat([head.subarray(start - first * blockBytes), rest], to - start)
  }

  return { size, read }
}

/** Opens a file whose bytes are in memory. */
export const openBytes = (bytes: Uint8Array): RandomAccessFile => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(Math.max(0, start), Math.max(0, end)),
})

/** Adapts a file to the library mediabunny, which reads mp4 packets. It caches up to 4 MB of the file. */
export const mediabunnySource = (file: RandomAccessFile): CustomSource =>
  new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end),
    maxCacheSize: 4 * 1024 * 1024,
    // A failed prefetch is ignored: when the block is needed, the read fails again and that error is thrown.
    handleUnhandledError: () => undefined,
  })
