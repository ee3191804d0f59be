import { fromQueue, proofBy } from '#core/http/proof'
import { type Env, secretOf } from './env.ts'
import { Callback } from './internal-contract.ts'

/** The header that has it. */
export const proofHeader = 'delivery-proof'

export const proofOf = (env: Env, ledger: string): Promise<string> =>
  proofBy(secretOf(env), 'delivery callback', ledger)

/** Lets the queue's own calls pass. */
export const isQueue = fromQueue({
  header: proofHeader,
  body: Callback,
  proofOf: (env: Env, { ledger }) => proofOf(env, ledger),
})
