import type { PdfVariables } from './env.ts'

/** What the PDF generator needs bound. */
export interface Env extends PdfVariables {
  /** Documents of earlier requests, while PDF_CACHE_TTL says that they are kept. */
  CACHE: R2Bucket
  /** What prints; `CHROMIUM_CONTAINER_URL` wins over it. */
  CHROMIUM_CONTAINER?: Fetcher
}
