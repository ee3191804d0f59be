import type { DatabaseEnv } from '#core/db/open'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { ProviderCircuit } from './circuit.ts'
import type { SmsVariables } from './env.ts'

/** Bindings and environment variables of the Worker `sms`, the SMS gateway. */
export interface Env extends DatabaseEnv, SmsVariables {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  PROVIDER_CIRCUIT: DurableObjectNamespace<ProviderCircuit>
}
