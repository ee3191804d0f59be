// Counts the stored requests that match, and finds those that nearly do.
import type { VerificationParams, VerificationResult } from './contract/verification.ts'
import type { CapturedRow } from './history.ts'
import { RequestFacts } from './request-facts.ts'
import type { RequestMatcher } from './request-matcher.ts'

/** The expected number of requests. */
export type Expectation = Pick<VerificationParams, 'at_least' | 'at_most'>

/** The smallest and the greatest number of requests that are expected. Without both, at least one. */
export const boundsOf = ({ at_least, at_most = Infinity }: Expectation) => ({
  least: at_least ?? (at_most === Infinity ? 1 : 0),
  most: at_most,
})

const maxNearMisses = 3

/** Compares requests, the newest first. `nearest` has those with the least differences if too few match. */
export function verify(
  rows: Iterable<CapturedRow>,
  matcher: RequestMatcher,
  expectation: Expectation,
): VerificationResult {
  const { least, most } = boundsOf(expectation)
  let count = 0
  let nearest: (VerificationResult['nearest'][number] & { distance: number })[] = []
  for (const row of rows) {
    const { differences, distance } = matcher.compare(new RequestFacts(row))
    if (differences.length === 0) count++
    else if (nearest.length < maxNearMisses || distance < nearest.at(-1)!.distance) {
      const { id, method, path } = row
      const request = { id, method, path, created_at: new Date(row.created_at) }
      nearest = [...nearest, { request, differences, distance }]
        .sort((one, other) => one.distance - other.distance)
        .slice(0, maxNearMisses)
    }
  }
  const shown = count < least ? nearest.map(({ distance: _, ...nearMiss }) => nearMiss) : []
  return { count, ok: count >= least && count <= most, nearest: shown }
}
