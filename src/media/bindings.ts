// The bindings of the media Worker: the database, the bucket, the durable objects and the variables.
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { ItemsEnv } from './item-access.ts'
import type { TusUpload } from './tus-upload.ts'

/** Bindings of the media Worker. The durable objects use the smaller types `ItemsEnv` and `StorageEnv`. */
export interface Env extends ItemsEnv {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  TUS_UPLOAD: DurableObjectNamespace<TusUpload>
  RATE_LIMIT: RateLimit
}
