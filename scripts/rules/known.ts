import { readFileSync, writeFileSync } from 'node:fs'
import { unitOf, type Violation } from './tree.ts'

/** How many violations of a rule, by folder, are still to be fixed: `known.json`, which only shrinks. */
type Counts = Record<string, number>

const path = 'scripts/rules/known.json'

const keyOf = ({ rule, file }: Violation) => `${rule} ${unitOf(file)}`

const countOf = (violations: readonly Violation[]): Counts =>
  Object.fromEntries([...Map.groupBy(violations, keyOf)].map(([key, same]) => [key, same.length]))

const readKnown = (): Counts => JSON.parse(readFileSync(path, 'utf8'))

/** The violations of each rule and folder of which there are more than were known. */
export function newViolations(violations: readonly Violation[], known = readKnown()): Violation[] {
  const counts = countOf(violations)
  return violations.filter((violation) => counts[keyOf(violation)]! > (known[keyOf(violation)] ?? 0))
}

/** Takes what was fixed out of the list of known violations. */
export function forgetFixed(violations: readonly Violation[]): void {
  const known = readKnown()
  const left = Object.entries(countOf(violations)).map(([key, count]) => [key, Math.min(count, known[key] ?? 0)])
  const kept = Object.fromEntries(left.filter(([, count]) => count !== 0).sort())
  writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`)
}
