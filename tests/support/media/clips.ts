// Loads audio, video and picture files in media tests, and stores them in R2.
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { Failure } from '#core/failure'
import { openR2File, type RandomAccessFile } from '#media/random-access'

const { url, hasFfmpeg } = inject('mediaClips')

export { hasFfmpeg }

/** The duration of each audio fixture in seconds, as ffprobe reports it. */
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

/** Loads a clip, with its duration by the header and by the packets. */
export async function clip(name: string) {
  const { bytes, headers } = await bytesAt(`/clips/${name}`)
  return { bytes, duration: Number(headers.get('duration')), packets: Number(headers.get('packets')) }
}

let stored = 0

/** Stores bytes as an object in R2, and opens it for random access. */
export async function inStorage(bytes: Uint8Array, limit?: number): Promise<RandomAccessFile> {
  const key = `clip-${++stored}`
  await env.FILES.put(key, bytes)
  return openR2File(env.FILES, key, bytes.length, limit)
}

/**
 * Returns the result of reading a file, or `refused` if it failed with an error for the caller. Any other error is
 * thrown.
 */
export async function orRefused<T>(reading: Promise<T>): Promise<T | 'refused'> {
  try {
    return await reading
  } catch (error) {
    if (Failure.is(error) && error.status === 400) return 'refused'
    throw error
  }
}

/** A file whose bytes are generated when they are read. It counts how many were read. */
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
