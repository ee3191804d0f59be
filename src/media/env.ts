import type { DatabaseEnv } from '#core/db/open'
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** The variables that the media service reads. */
interface MediaVariables extends CoreEnv {
  MEDIA_CONTAINER_URL?: string
  /** The container's `TOKEN`, where it has one. */
  MEDIA_CONTAINER_TOKEN?: string
  /** What every digest begins with. */
  UPLOAD_DIGEST_PREFIX?: string
  /** JSON: scope -> limits; see `Limits`. */
  UPLOAD_SCOPES?: string
  /** KB; 102400 unless given. */
  UPLOAD_MAX_FILESIZE?: string
  /** The largest side of a rendition, in pixels; 4096 unless given. */
  UPLOAD_MAX_DIMENSION?: string
  /** The largest side of a video, in pixels; 1280 unless given. */
  UPLOAD_VIDEO_MAX_DIMENSION?: string
  /** Seconds after which an upload in parts is forgotten; a day unless given. */
  UPLOAD_LIFETIME?: string
  /** The most pixels of an image; 100 million unless given. */
  IMAGE_MAX_PIXELS?: string
}

/** What stores and serves items needs bound, in the durable objects too. */
export interface StorageEnv extends DatabaseEnv, MediaVariables {
  FILES: R2Bucket
  /** What decodes large images and transcodes videos; `MEDIA_CONTAINER_URL` wins over it. */
  MEDIA_CONTAINER?: Fetcher
  /** Cloudflare Images, instead of the Worker and the container, for images. */
  IMAGES?: ImagesBinding
}

const wrong = (name: string, what: string) => notConfigured(`${name} must be ${what}`)

/** What every digest begins with; 503 where no address could have it. */
export function digestPrefixOf({ UPLOAD_DIGEST_PREFIX: prefix = '' }: MediaVariables): string {
  if (!/^[\w.-]{0,80}$/.test(prefix))
    throw wrong('UPLOAD_DIGEST_PREFIX', 'at most 80 letters, digits, dots, hyphens and underscores.')
  return prefix
}

/** A variable that is a positive whole number; 503 where it is something else. */
export function numberIn(env: MediaVariables, name: keyof MediaVariables & string, usual: number): number {
  const text = env[name]
  if (text === undefined || text === '') return usual
  if (typeof text !== 'string' || !/^[1-9]\d{0,11}$/.test(text)) throw wrong(name, 'a whole number above 0.')
  return Number(text)
}
