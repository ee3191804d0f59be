import type { PdfVariables } from './env.ts'

/** Bindings of the PDF component. */
export interface Env extends PdfVariables {
  /** Cached documents, and documents stored with `store`. */
  CACHE: R2Bucket
  /** The Chromium container; `CHROMIUM_CONTAINER_URL` takes precedence. */
  CHROMIUM_CONTAINER?: Fetcher
}
