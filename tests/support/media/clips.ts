// How a test gets at media, and has it stored.
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { Failure } from '#core/failure'
import { openR2File, type RandomAccessFile } from '#media/random-access'

const { url, hasFfmpeg } = inject('mediaClips')

export { hasFfmpeg }

/** The lengths of the fixtures in seconds, as ffprobe says; nothing for a picture. */
export const tones = {
  'tone.aac': 1.088,
  'tone.aiff': 0.5,
  'tone.caf': 0.5,
  'tone.flac': 1,
  'tone.m4a': 1,
  'tone.mp3': 1.152,
  'tone.ogg': 1,
  'tone.wav': 1,
  'tone.webm': 1.008,
  'tone.wma': 1.024,
}

export const films = ['film.avi', 'film.flv', 'film.gif', 'film.mov', 'film.mp4', 'film.ogv', 'film.webm', 'film.wmv']

export const pictures = ['still.png', 'still.jpg']

async function bytesAt(path: string) {
  const response = await fetch(`${url}${path}`)
  if (!response.ok) throw new Error(await response.text())
  return { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers }
}

export const fixture = async (name: string) => (await bytesAt(`/fixtures/${name}`)).bytes

/** A clip, and how long it is by its header and by its packets. */
export async function clip(name: string) {
  const { bytes, headers } = await bytesAt(`/clips/${name}`)
  return { bytes, duration: Number(headers.get('duration')), packets: Number(headers.get('packets')) }
}

let stored = 0

/** The bytes as an object of R2. */
export async function inStorage(bytes: Uint8Array, limit?: number): Promise<RandomAccessFile> {
  const key = `clip-${++stored}`
  await env.FILES.put(key, bytes)
  return openR2File(env.FILES, key, bytes.length, limit)
}

/** What was read, or that it was refused in a way that a caller may see; anything else is thrown. */
export async function orRefused<T>(reading: Promise<T>): Promise<T | 'refused'> {
  try {
    return await reading
  } catch (error) {
    if (Failure.is(error) && error.status === 400) return 'refused'
    throw error
  }
}

/** A file that is made as it is read, and how much of it was. */
export function madeUp(size: number, fill: (bytes: Uint8Array, at: number) => void) {
  const file = {
    size,
    bytesRead: 0,
    async read(start: number, end: number) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start))
      file.bytesRead += bytes.length
      fill(bytes, start)
      return bytes
    },
  }
  return file
}
