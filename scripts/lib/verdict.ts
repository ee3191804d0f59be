// Compares a measurement of a benchmark with its goal.

/** A text that says whether a measurement meets its goal. */
export function verdict(isMet: boolean, goal: string): string {
  return `${isMet ? 'meets' : 'MISSES'} the goal: ${goal}`
}
