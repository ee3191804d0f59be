import type { ItemsEnv } from './item-access.ts'
import type { TusUpload } from './tus-upload.ts'

/** What the media service needs bound. */
export interface Env extends ItemsEnv {
  TUS_UPLOAD: DurableObjectNamespace<TusUpload>
}
