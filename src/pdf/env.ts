import type { CoreEnv } from '#core/http/api'

/** What the PDF generator needs bound, and the variables it reads. */
export interface Env extends CoreEnv {
  /** Documents of earlier requests, while PDF_CACHE_TTL says that they are kept. */
  CACHE: R2Bucket
  CHROMIUM_CONTAINER?: Fetcher
  CHROMIUM_CONTAINER_URL?: string
  CHROMIUM_CONTAINER_TOKEN?: string
  /** Seconds; 0, which is none, unless given. */
  PDF_CACHE_TTL?: string
}
