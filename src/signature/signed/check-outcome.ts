// Outcomes of checks (valid, invalid or unsupported), and the outcome of several checks together.
import type { CheckResult } from './types.ts'

/** Result of one check. */
export interface CheckOutcome {
  result: CheckResult
  reason: string | null
}

// The three outcomes. The reason is one sentence.
export const valid: CheckOutcome = { result: 'valid', reason: null }
export const invalid = (reason: string): CheckOutcome => ({ result: 'invalid', reason })
export const unsupported = (reason: string): CheckOutcome => ({ result: 'unsupported', reason })

/** The worst of several results: `invalid`, then `unsupported`, then `valid`. */
export function worstOf(results: CheckResult[]): CheckResult {
  if (results.includes('invalid')) return 'invalid'
  return results.includes('unsupported') ? 'unsupported' : 'valid'
}

/** Runs checks in order until one is not `valid`, and returns its outcome. */
export async function firstFault(checks: (() => Promise<CheckOutcome>)[]): Promise<CheckOutcome> {
  for (const check of checks) {
    const outcome = await check()
    if (outcome.result !== 'valid') return outcome
  }
  return valid
}
