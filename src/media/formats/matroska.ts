// Reads the tracks and the duration of Matroska and WebM files.
import type { RandomAccessFile } from '../random-access.ts'

/** Content of the header of a Matroska or WebM file (RFC 9559), as far as the probes of audio and video need it. */
interface Matroska {
  /** Whether the file declares itself as WebM, a subset of Matroska with another media type. */
  isWeb: boolean
  tracks: MatroskaTrack[]
  seconds: number | undefined
  /** Nanoseconds per unit of the timestamps in the file. */
  scale: number
  /** Offset of the first cluster, where the audio and video data begin. */
  clusters: number
}

interface MatroskaTrack {
  type: 'video' | 'audio' | 'other'
  codec: string
  width: number
  height: number
}

const id = {
  ...{ ebml: 0x1a45dfa3, docType: 0x4282, segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489 },
  ...{ tracks: 0x1654ae6b, track: 0xae, type: 0x83, codec: 0x86, video: 0xe0, width: 0xb0, height: 0xba },
  ...{ shownWidth: 0x54b0, shownHeight: 0x54ba, projection: 0x7670, roll: 0x7675 },
  ...{ cluster: 0x1f43b675, time: 0xe7, simpleBlock: 0xa3, group: 0xa0, block: 0xa1, blockDuration: 0x9b },
}

/** Maximum size of a header element that is read. Real headers, the tracks with their codec data, are smaller. */
const maxHeaderBytes = 2 * 1024 * 1024

/**
 * Maximum number of clusters that are skipped in search of a header that follows them, so that a long file is not read to its end.
 */
const maxSkippedClusters = 64

export async function readMatroska(file: RandomAccessFile): Promise<Matroska> {
  const found: Matroska = { isWeb: false, tracks: [], seconds: undefined, scale: 1e6, clusters: file.size }
  let clusters = 0
  const seen = new Set<number>()
  for await (const { name, at, start, size } of elements(file, 0, new Set([id.segment]))) {
    const content = () => file.read(start, start + Math.min(size ?? maxHeaderBytes, maxHeaderBytes))
    // Uses only the first of repeated elements; the others are copies of it.
    const isFirst = !seen.has(name)
    seen.add(name)
    if (isFirst && name === id.ebml) found.isWeb = textOf(childrenOf(await content()).get(id.docType)?.[0]) === 'webm'
    if (isFirst && name === id.info) Object.assign(found, infoOf(await content()))
    if (isFirst && name === id.tracks) found.tracks = (childrenOf(await content()).get(id.track) ?? []).map(trackOf)
    if (name !== id.cluster) continue
    found.clusters = Math.min(found.clusters, at)
    if (found.tracks.length > 0 || ++clusters > maxSkippedClusters) break
  }
  return found
}

/**
 * Returns the duration in seconds, computed from the timestamps of all blocks. Browsers record without a duration in the header.
 */
export async function secondsOfBlocks(file: RandomAccessFile, { scale, clusters }: Matroska): Promise<number> {
  let [cluster, first, last, length] = [0, -1, 0, 0]
  for await (const { name, start, size } of elements(file, clusters, new Set([id.cluster, id.group]))) {
    const number = async () => numberIn(await file.read(start, start + Math.min(size ?? 0, maxNumberBytes)))
    if (name === id.time) cluster = await number()
    if (name === id.blockDuration) length = await number()
    if (name !== id.simpleBlock && name !== id.block) continue
    const [track = 0, ...rest] = await file.read(start, start + 11)
    const at = lengthOf(track) - 1
    const time = cluster + (((((rest[at] ?? 0) << 8) | (rest[at + 1] ?? 0)) << 16) >> 16)
    length = time > last ? time - last : length
    first = first < 0 ? time : first
    last = Math.max(last, time)
  }
  return ((last + length - first) * scale) / 1e9
}

interface Element {
  name: number
  /** Offset of the element in the file. */
  at: number
  /** Offset of the element's content. */
  start: number
  /** Size of the content; undefined if the file does not state it. Such an element ends at the next one of its level. */
  size: number | undefined
}

/** Maximum number of elements that are read, a limit against crafted files. Files within the read limit have fewer. */
const maxElements = 2_000_000

/**
 * Yields the elements of a file in order. An element in `entered` is not skipped: its children follow it, as if they were on its
 * level.
 */
async function* elements(file: RandomAccessFile, from: number, entered: Set<number>): AsyncGenerator<Element> {
  for (let at = from, i = 0; at < file.size && i < maxElements; i++) {
    const element = elementAt(await file.read(at, at + 12), 0)
    if (!element) return
    const { name, size } = element
    const start = at + element.start
    yield { name, at, start, size }
    if (!entered.has(name) && size === undefined) return
    at = entered.has(name) ? start : start + size!
  }
}

function elementAt(bytes: Uint8Array, at: number): Omit<Element, 'at'> | undefined {
  const idLength = lengthOf(bytes[at] ?? 0)
  const sizeLength = lengthOf(bytes[at + idLength] ?? 0)
  const start = at + idLength + sizeLength
  if (idLength > 4 || sizeLength > 8 || start > bytes.length) return undefined
  const [first = 0, ...more] = bytes.subarray(at + idLength, start)
  const mask = 0xff >> sizeLength
  const isOpen = (first & mask) === mask && more.every((byte) => byte === 0xff)
  const size = more.reduce((sum, byte) => sum * 256 + byte, first & mask)
  return { name: numberIn(bytes.subarray(at, at + idLength)), start, size: isOpen ? undefined : size }
}

/**
 * Returns the length of a variable-size integer in bytes, which is encoded in the leading zeros of its first byte. 9 means that the
 * byte is invalid.
 */
const lengthOf = (first: number) => Math.clz32(first) - 23

const maxNumberBytes = 8

const numberIn = (bytes: Uint8Array) => bytes.subarray(0, maxNumberBytes).reduce((sum, byte) => sum * 256 + byte, 0)

const textOf = (bytes: Uint8Array = new Uint8Array()) =>
  String.fromCharCode(...bytes.subarray(0, 64)).replace(/\0.*/s, '')

function floatIn(bytes: Uint8Array = new Uint8Array()): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return bytes.length === 8 ? view.getFloat64(0) : bytes.length === 4 ? view.getFloat32(0) : 0
}

/** Maximum number of children of an element that are read, a limit against crafted files. */
const maxChildren = 10_000

/** Returns the contents of an element's children, grouped by their ids. */
function childrenOf(bytes: Uint8Array = new Uint8Array()): Map<number, Uint8Array[]> {
  const children = new Map<number, Uint8Array[]>()
  for (let at = 0, i = 0; at < bytes.length && i < maxChildren; i++) {
    const child = elementAt(bytes, at)
    if (child?.size === undefined) break
    at = child.start + child.size
    const siblings = children.get(child.name) ?? []
    siblings.push(bytes.subarray(child.start, at))
    children.set(child.name, siblings)
  }
  return children
}

function infoOf(bytes: Uint8Array): Pick<Matroska, 'scale' | 'seconds'> {
  const children = childrenOf(bytes)
  const scale = numberIn(children.get(id.scale)?.[0] ?? new Uint8Array()) || 1e6
  return { scale, seconds: (floatIn(children.get(id.duration)?.[0]) * scale) / 1e9 || undefined }
}

function trackOf(bytes: Uint8Array): MatroskaTrack {
  const children = childrenOf(bytes)
  const type = numberIn(children.get(id.type)?.[0] ?? new Uint8Array())
  return {
    type: type === 1 ? 'video' : type === 2 ? 'audio' : 'other',
    codec: textOf(children.get(id.codec)?.[0]),
    ...sizeOf(childrenOf(children.get(id.video)?.[0])),
  }
}

/**
 * Returns the display size in square pixels: enlarges one side by the pixel aspect ratio, and swaps the sides after a quarter turn.
 */
function sizeOf(video: Map<number, Uint8Array[]>): { width: number; height: number } {
  const number = (name: number) => numberIn(video.get(name)?.[0] ?? new Uint8Array())
  const [width, height] = [number(id.width), number(id.height)]
  const aspect = (number(id.shownWidth) || width) / (number(id.shownHeight) || height) / (width / height) || 1
  const size = { width: Math.round(width * Math.max(1, aspect)), height: Math.round(height / Math.min(1, aspect)) }
  const roll = floatIn(childrenOf(video.get(id.projection)?.[0]).get(id.roll)?.[0])
  return Math.abs(roll % 180) === 90 ? { width: size.height, height: size.width } : size
}
