// The variables and bindings of the media component that its durable objects share, and the parsers of the variables.
import type { DatabaseEnv } from '#core/db/open'
import { notConfigured } from '#core/failure'
import type { CoreEnv } from '#core/http/declaration'

/** The environment variables of the media component. Each is text; `positiveVariable` parses the numbers. */
interface MediaVariables extends CoreEnv {
  MEDIA_CONTAINER_URL?: string
  /** Token that the container requires, the value of its variable `TOKEN`. Not set if the container has none. */
  MEDIA_CONTAINER_TOKEN?: string
  /** Prefix of every digest, such as the name of a region. */
  UPLOAD_DIGEST_PREFIX?: string
  /** JSON object of limits by scope; see `Scopes`. */
  UPLOAD_SCOPES?: string
  /** Maximum size of an upload in KB. Default: 102400. */
  UPLOAD_MAX_FILESIZE?: string
  /** Maximum length of the longer side of a rendition, in pixels. Default: 4096. */
  UPLOAD_MAX_DIMENSION?: string
  /** Maximum length of the longer side of an mp4, in pixels. Default: 1280. */
  UPLOAD_VIDEO_MAX_DIMENSION?: string
  /** Seconds after which an unfinished tus upload is deleted. Default: a day. */
  UPLOAD_LIFETIME?: string
  /** Maximum number of pixels of an image. Default: 100 million. */
  IMAGE_MAX_PIXELS?: string
}

/** Bindings for storing and serving items. The durable objects need these, but not the bindings of each other. */
export interface StorageEnv extends DatabaseEnv, MediaVariables {
  FILES: R2Bucket
  /** Container that decodes large images and transcodes videos. `MEDIA_CONTAINER_URL` takes precedence over this binding. */
  MEDIA_CONTAINER?: Fetcher
  /** Cloudflare Images. If bound, it processes all images in place of the Worker and the container. */
  IMAGES?: ImagesBinding
}

const invalidVariable = (name: string, rule: string) => notConfigured(`${name} must be ${rule}`)

/** Returns the prefix of every digest. Throws 503 `not_configured` if the prefix cannot be a part of a URL path. */
export function digestPrefixOf({ UPLOAD_DIGEST_PREFIX: prefix = '' }: MediaVariables): string {
  if (!/^[\w.-]{0,80}$/.test(prefix))
    throw invalidVariable('UPLOAD_DIGEST_PREFIX', 'at most 80 letters, digits, dots, hyphens and underscores.')
  return prefix
}

/** Reads a variable that is a positive whole number. Throws 503 `not_configured` if it is anything else. */
export function positiveVariable(
  env: MediaVariables,
  name: keyof MediaVariables & string,
  defaultValue: number,
): number {
  const text = env[name]
  if (text === undefined || text === '') return defaultValue
  if (typeof text !== 'string' || !/^[1-9]\d{0,11}$/.test(text)) throw invalidVariable(name, 'a whole number above 0.')
  return Number(text)
}
