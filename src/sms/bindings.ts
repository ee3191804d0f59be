import type { DatabaseEnv } from '#core/db/open'
import type { FirstReply } from '#core/objects/first-reply'
import type { ProviderCircuit } from './circuit.ts'
import type { SmsVariables } from './env.ts'

/** What the SMS gateway needs bound. */
export interface Env extends DatabaseEnv, SmsVariables {
  FIRST_REPLY: DurableObjectNamespace<FirstReply>
  PROVIDER_CIRCUIT: DurableObjectNamespace<ProviderCircuit>
}
