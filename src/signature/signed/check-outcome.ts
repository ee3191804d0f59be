import type { CheckResult } from './types.ts'

/** What a check has come to. */
export interface CheckOutcome {
  result: CheckResult
  reason: string | null
}

/** The three outcomes; the reason is one sentence. */
export const valid: CheckOutcome = { result: 'valid', reason: null }
export const wrong = (reason: string): CheckOutcome => ({ result: 'invalid', reason })
export const unsupported = (reason: string): CheckOutcome => ({ result: 'unsupported', reason })

/** `invalid` when any is, else `unsupported` when any is. */
export function worst(results: CheckResult[]): CheckResult {
  if (results.includes('invalid')) return 'invalid'
  return results.includes('unsupported') ? 'unsupported' : 'valid'
}

/** The first outcome that is not `valid`; no check after it is made. */
export async function firstFault(checks: (() => Promise<CheckOutcome>)[]): Promise<CheckOutcome> {
  for (const check of checks) {
    const outcome = await check()
    if (outcome.result !== 'valid') return outcome
  }
  return valid
}
