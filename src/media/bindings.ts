import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { ItemsEnv } from './item-access.ts'
import type { TusUpload } from './tus-upload.ts'

/** Bindings of the media component. */
export interface Env extends ItemsEnv {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  TUS_UPLOAD: DurableObjectNamespace<TusUpload>
}
