import { requireQueueProof, signProof } from '#core/http/proof'
import { Callback } from './contract/internal.ts'
import type { DeliveryVariables } from './env.ts'
import { secretOf } from './env.ts'

/** The header that has it. */
export const proofHeader = 'delivery-proof'

export const proofOf = (env: DeliveryVariables, ledger: string): Promise<string> =>
  signProof(secretOf(env), 'delivery callback', ledger)

/** Lets the queue's own calls pass. */
export const isQueue = requireQueueProof({
  header: proofHeader,
  body: Callback,
  proofOf: (env: DeliveryVariables, { ledger }) => proofOf(env, ledger),
})
