// The outcomes of the checks of a signature (valid, invalid or unsupported), and functions that combine the outcomes of several
// checks.
import type { CheckResult } from './types.ts'

/** Result of one check. */
export interface CheckOutcome {
  result: CheckResult
  reason: string | null
}

// The constructors of the three outcomes. The reason is one sentence, which the API shows.
export const valid: CheckOutcome = { result: 'valid', reason: null }
export const invalid = (reason: string): CheckOutcome => ({ result: 'invalid', reason })
export const unsupported = (reason: string): CheckOutcome => ({ result: 'unsupported', reason })

/** Returns the worst of several results: `invalid` before `unsupported` before `valid`. */
export function worstOf(results: CheckResult[]): CheckResult {
  if (results.includes('invalid')) return 'invalid'
  return results.includes('unsupported') ? 'unsupported' : 'valid'
}

/** Runs checks one after another until one is not `valid`, and returns the outcome of that check. */
export async function firstFault(checks: (() => Promise<CheckOutcome>)[]): Promise<CheckOutcome> {
  for (const check of checks) {
    const outcome = await check()
    if (outcome.result !== 'valid') return outcome
  }
  return valid
}
