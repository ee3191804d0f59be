import type { PdfVariables } from './env.ts'

/** Environment of the PDF component: its variables, its R2 bucket and its container. */
export interface Env extends PdfVariables {
  /** Cached documents, and documents stored with `store`. */
  CACHE: R2Bucket
  /** The Chromium container; `CHROMIUM_CONTAINER_URL` takes precedence. */
  CHROMIUM_CONTAINER?: Fetcher
}
