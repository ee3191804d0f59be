import { CustomSource } from 'mediabunny'
import { concat } from '#core/chunks'
import { missing } from './errors.ts'

/** A file of which parts can be read. */
export interface RandomAccessFile {
  readonly size: number
  /** The bytes from `start` until `end`, or until the file's own end; not to be written to. */
  read(start: number, end: number): Promise<Uint8Array>
}

/** So much was asked for that the file is made to keep whoever reads it busy. */
export class ReadLimitExceeded extends Error {
  override readonly name = 'ReadLimitExceeded'
}

const block = 512 * 1024
/** Blocks held at a time. With what a long read brings, the most memory that a file of any size takes. */
const kept = 8
/** Blocks fetched before they are asked for, once the reading is seen to go forward. */
const ahead = 2
/** Bytes from which a range is fetched by itself, and not in blocks. */
const long = 4 * block

/** An object of R2, fetched in blocks and at most `limit` bytes of it altogether: past that, `ReadLimitExceeded`. */
export function openR2File(bucket: R2Bucket, key: string, size: number, limit = 128 * 1024 * 1024): RandomAccessFile {
  const blocks = new Map<number, Promise<Uint8Array>>()
  const last = Math.ceil(size / block) - 1
  let left = limit
  let latest = -1

  async function fetchRange(start: number, end: number): Promise<Uint8Array> {
    // A short range costs as much as a block, so that their number is bounded too.
    left -= Math.max(end - start, block)
    if (left < 0) throw new ReadLimitExceeded()
    const object = await bucket.get(key, { range: { offset: start, length: end - start } })
    if (!object) throw missing('file')
    return object.bytes()
  }

  function blockAt(index: number): Promise<Uint8Array> {
    const found = blocks.get(index) ?? fetchRange(index * block, Math.min((index + 1) * block, size))
    blocks.delete(index)
    blocks.set(index, found)
    // Whoever awaits it is told; a block fetched ahead may have nobody.
    found.catch(() => blocks.delete(index))
    for (const oldest of blocks.keys()) if (blocks.size > kept) blocks.delete(oldest)
    return found
  }

  function nextBlock(index: number): Promise<Uint8Array> {
    const goesForward = index === latest + 1 && index > 0
    latest = index
    const wanted = blockAt(index)
    const until = goesForward ? Math.min(index + ahead, last) : index
    for (let next = index + 1; next <= until && left > (ahead + 1) * block; next++) blockAt(next)
    return wanted
  }

  async function read(start: number, end: number): Promise<Uint8Array> {
    const to = Math.min(end, size)
    if (start < 0 || start >= to) return new Uint8Array()
    if (to - start >= long) return fetchRange(start, to)
    const first = Math.floor(start / block)
    const head = first === latest ? await blockAt(first) : await nextBlock(first)
    if (to <= (first + 1) * block) return head.subarray(start - first * block, to - first * block)
    const rest = await read((first + 1) * block, to)
    return concat([head.subarray(start - first * block), rest], to - start)
  }

  return { size, read }
}

/** Bytes in memory, read as a file is. */
export const openBytes = (bytes: Uint8Array): RandomAccessFile => ({
  size: bytes.length,
  read: async (start, end) => bytes.subarray(Math.max(0, start), Math.max(0, end)),
})

/** The same for mediabunny, which keeps some of it. */
export const sourceOf = (file: RandomAccessFile): CustomSource =>
  new CustomSource({
    getSize: () => file.size,
    read: (start, end) => file.read(start, end),
    maxCacheSize: 4 * 1024 * 1024,
    // What fails while nobody waits for it fails again when somebody does.
    handleUnhandledError: () => undefined,
  })
