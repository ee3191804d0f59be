// Signs the calls that the queue makes for a delivery, and verifies the signature when a call arrives. No other client can call
// `/piece` and `/slice`.
import { requireQueueProof, signProof } from '#core/http/proof'
import { Callback } from './contract/internal.ts'
import type { DeliveryVariables } from './env.ts'
import { secretOf } from './env.ts'

/** The header of a callback that carries the proof. */
export const proofHeader = 'delivery-proof'

/** The proof for callbacks about one ledger: an HMAC, so the proof of one delivery is invalid for any other. */
export const proofOf = (env: DeliveryVariables, ledger: string): Promise<string> =>
  signProof(secretOf(env), 'delivery callback', ledger)

/** Guard of `/piece` and `/slice`: accepts only calls with a valid proof, which are those of the queue. */
export const isQueue = requireQueueProof({
  header: proofHeader,
  body: Callback,
  proofOf: (env: DeliveryVariables, { ledger }) => proofOf(env, ledger),
})
