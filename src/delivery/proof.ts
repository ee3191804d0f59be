// Signs the calls that the queue makes for a delivery, and verifies the signature when they arrive.
import { requireQueueProof, signProof } from '#core/http/proof'
import { Callback } from './contract/internal.ts'
import type { DeliveryVariables } from './env.ts'
import { secretOf } from './env.ts'

/** The header with the signature of a call. */
export const proofHeader = 'delivery-proof'

/** Signature of the queue's calls for a ledger. */
export const proofOf = (env: DeliveryVariables, ledger: string): Promise<string> =>
  signProof(secretOf(env), 'delivery callback', ledger)

/** Accepts calls that the queue makes for this component. */
export const isQueue = requireQueueProof({
  header: proofHeader,
  body: Callback,
  proofOf: (env: DeliveryVariables, { ledger }) => proofOf(env, ledger),
})
