import type { RandomAccessFile } from '../random-access.ts'

/** Where a chunk's content lies, and that of the chunks before it. */
interface Chunk {
  id: string
  start: number
  size: number
}

/** More than any file has; one made to have more is not read on. */
const most = 1000

/** The chunks of an IFF-like file from `start`: a name of four letters, a size, the content, padded to even. */
export async function* chunksOf(
  file: RandomAccessFile,
  start: number,
  sizes: 'little' | 'big' | 'long',
): AsyncGenerator<Chunk & { view: DataView }> {
  const header = sizes === 'long' ? 12 : 8
  for (let at = start, i = 0; at + header <= file.size && i < most; i++) {
    // Enough for what any of them says of the sound.
    const bytes = await file.read(at, at + header + 128)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const size = sizes === 'long' ? Number(view.getBigInt64(4)) : view.getUint32(4, sizes === 'little')
    const content = new DataView(bytes.buffer, bytes.byteOffset + header, bytes.length - header)
    yield { id: String.fromCharCode(...bytes.subarray(0, 4)), start: at + header, size, view: content }
    if (size < 0) return
    at += header + size + (sizes === 'long' ? 0 : size % 2)
  }
}

/** How much there is of what a chunk says to hold: a recorder that was cut off leaves zero, or as much as fits. */
const held = (size: number, start: number, file: RandomAccessFile) =>
  size > 0 && start + size <= file.size ? size : file.size - start

/** RIFF and RF64 WAVE: seconds, or nothing where it has no sound. */
export async function readWave(file: RandomAccessFile, isLittle = true): Promise<number | undefined> {
  let longSize: number | undefined
  let samples = 0
  let format: WaveFormat | undefined
  for await (const { id, start, size, view } of chunksOf(file, 12, isLittle ? 'little' : 'big')) {
    if (id === 'ds64' && view.byteLength >= 16) longSize = Number(view.getBigUint64(8, true))
    if (id === 'fmt ' && view.byteLength >= 16) format = waveFormat(view, isLittle)
    if (id === 'fact' && view.byteLength >= 4) samples = view.getUint32(0, isLittle)
    if (id === 'data') return format && secondsOfWave(format, held(longSize || size, start, file), samples)
  }
  return undefined
}

interface WaveFormat {
  isPlain: boolean
  rate: number
  speed: number
}

/** Where a sample has a size of its own, that and the rate are right more often than the bytes in a second. */
function waveFormat(view: DataView, isLittle: boolean): WaveFormat {
  const [kind, rate, speed, align] = [
    view.getUint16(0, isLittle),
    view.getUint32(4, isLittle),
    view.getUint32(8, isLittle),
    view.getUint16(12, isLittle),
  ]
  const isPlain = [1, 3, 6, 7, 0xfffe].includes(kind)
  return { isPlain, rate, speed: isPlain && align * rate > 0 ? align * rate : speed }
}

function secondsOfWave({ isPlain, rate, speed }: WaveFormat, bytes: number, samples: number): number | undefined {
  const bySpeed = speed > 0 ? bytes / speed : undefined
  if (isPlain || rate === 0 || samples === 0) return bySpeed
  const bySamples = samples / rate
  return bySpeed === undefined || Math.abs(bySamples - bySpeed) < bySpeed / 4 + 1 ? bySamples : bySpeed
}

/** AIFF and AIFF-C. */
export async function readAiff(file: RandomAccessFile): Promise<number | undefined> {
  for await (const { id, view } of chunksOf(file, 12, 'big')) {
    if (id !== 'COMM' || view.byteLength < 22) continue
    // A packet of this one has 64 samples, and is counted once.
    const perFrame = view.getUint32(18) === 0x696d6134 ? 64 : 1
    return (view.getUint32(2) * perFrame) / extended(view, 8)
  }
  return undefined
}

/** A number of 80 bits: sign and exponent, then 64 bits of which the first is the one before the point. */
const extended = (view: DataView, at: number) =>
  Number(view.getBigUint64(at + 2)) * 2 ** ((view.getUint16(at) & 0x7fff) - 16383 - 63)

/** Apple's Core Audio Format. */
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
    // The data begin with the number of their edits.
    if (id === 'data') bytes = held(size, start, file) - 4
  }
  const count = samples || (packet > 0 ? (bytes / packet) * perPacket : 0)
  return count / rate
}
