// Reads the duration of WAVE, AIFF and CAF files, which consist of IFF-like chunks.
import type { RandomAccessFile } from '../random-access.ts'

/** A chunk: its id, and the offset and size of its content. */
interface Chunk {
  id: string
  start: number
  size: number
}

/** Maximum number of chunks that are read, a limit against crafted files. Real files have fewer. */
const maxChunks = 1000

/**
 * Yields the chunks of an IFF-like file from `start`. A chunk is an id of four characters, a size, and content that is padded to an
 * even size.
 */
export async function* chunksOf(
  file: RandomAccessFile,
  start: number,
  sizes: 'little' | 'big' | 'long',
): AsyncGenerator<Chunk & { view: DataView }> {
  const header = sizes === 'long' ? 12 : 8
  for (let at = start, i = 0; at + header <= file.size && i < maxChunks; i++) {
    // Reads only the first 128 bytes of each chunk, which have all fields that this file needs.
    const bytes = await file.read(at, at + header + 128)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const size = sizes === 'long' ? Number(view.getBigInt64(4)) : view.getUint32(4, sizes === 'little')
    const content = new DataView(bytes.buffer, bytes.byteOffset + header, bytes.length - header)
    yield { id: String.fromCharCode(...bytes.subarray(0, 4)), start: at + header, size, view: content }
    if (size < 0) return
    at += header + size + (sizes === 'long' ? 0 : size % 2)
  }
}

/** Returns the real size of a chunk. In an interrupted recording, the declared size is 0, or reaches beyond the end of the file. */
const availableBytes = (size: number, start: number, file: RandomAccessFile) =>
  size > 0 && start + size <= file.size ? size : file.size - start

/** Returns the duration of a RIFF, RIFX or RF64 WAVE file in seconds; undefined if the file has no audio. */
export async function readWave(file: RandomAccessFile, isLittle = true): Promise<number | undefined> {
  let longSize: number | undefined
  let samples = 0
  let format: WaveFormat | undefined
  for await (const { id, start, size, view } of chunksOf(file, 12, isLittle ? 'little' : 'big')) {
    if (id === 'ds64' && view.byteLength >= 16) longSize = Number(view.getBigUint64(8, true))
    if (id === 'fmt ' && view.byteLength >= 16) format = waveFormat(view, isLittle)
    if (id === 'fact' && view.byteLength >= 4) samples = view.getUint32(0, isLittle)
    if (id === 'data') return format && secondsOfWave(format, availableBytes(longSize || size, start, file), samples)
  }
  return undefined
}

interface WaveFormat {
  hasFixedSampleSize: boolean
  rate: number
  bytesPerSecond: number
}

/**
 * Parses a `fmt ` chunk. For formats with a fixed sample size, the bytes per second are computed from the sample size and the rate,
 * since writers often declare them wrongly.
 */
function waveFormat(view: DataView, isLittle: boolean): WaveFormat {
  const [kind, rate, bytesPerSecond, align] = [
    view.getUint16(0, isLittle),
    view.getUint32(4, isLittle),
    view.getUint32(8, isLittle),
    view.getUint16(12, isLittle),
  ]
  const hasFixedSampleSize = [1, 3, 6, 7, 0xfffe].includes(kind)
  return {
    hasFixedSampleSize,
    rate,
    bytesPerSecond: hasFixedSampleSize && align * rate > 0 ? align * rate : bytesPerSecond,
  }
}

function secondsOfWave(
  { hasFixedSampleSize, rate, bytesPerSecond }: WaveFormat,
  bytes: number,
  samples: number,
): number | undefined {
  const bySpeed = bytesPerSecond > 0 ? bytes / bytesPerSecond : undefined
  if (hasFixedSampleSize || rate === 0 || samples === 0) return bySpeed
  const bySamples = samples / rate
  return bySpeed === undefined || Math.abs(bySamples - bySpeed) < bySpeed / 4 + 1 ? bySamples : bySpeed
}

/** Returns the duration of an AIFF or AIFF-C file in seconds. */
export async function readAiff(file: RandomAccessFile): Promise<number | undefined> {
  for await (const { id, view } of chunksOf(file, 12, 'big')) {
    if (id !== 'COMM' || view.byteLength < 22) continue
    // With the compression `ima4`, the header counts packets of 64 samples instead of samples.
    const perFrame = view.getUint32(18) === 0x696d6134 ? 64 : 1
    return (view.getUint32(2) * perFrame) / extended(view, 8)
  }
  return undefined
}

/** Reads an 80-bit extended precision number, the format of the sample rate in AIFF. */
const extended = (view: DataView, at: number) =>
  Number(view.getBigUint64(at + 2)) * 2 ** ((view.getUint16(at) & 0x7fff) - 16383 - 63)

/** Returns the duration of a file in Apple's Core Audio Format in seconds. */
export async function readCaf(file: RandomAccessFile): Promise<number | undefined> {
  let [rate, perPacket, samples, bytes] = [0, 0, 0, 0]
  let packet = 0
  for await (const { id, start, size, view } of chunksOf(file, 8, 'long')) {
    if (id === 'desc' && view.byteLength >= 24) {
      rate = view.getFloat64(0)
      packet = view.getUint32(16)
      perPacket = view.getUint32(20)
    }
    if (id === 'pakt' && view.byteLength >= 16) samples = Number(view.getBigInt64(8))
    // The data chunk begins with an edit count of 4 bytes, which is no audio.
    if (id === 'data') bytes = availableBytes(size, start, file) - 4
  }
  const count = samples || (packet > 0 ? (bytes / packet) * perPacket : 0)
  return count / rate
}
