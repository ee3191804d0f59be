import type { ItemsEnv } from './item-access.ts'
import type { TusUpload } from './tus-upload.ts'

/** Bindings of the media component. */
export interface Env extends ItemsEnv {
  TUS_UPLOAD: DurableObjectNamespace<TusUpload>
}
