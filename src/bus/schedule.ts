const seconds = [10, 60, 300, 900, 3_600]
const longest = 75 * 3_600

/**
 * Milliseconds from the end of the n-th attempt to the next: 10 seconds, 1, 5 and 15 minutes, 1 hour, then hourly.
 * Nothing where 75 hours are over.
 */
export function delayAfter(attempts: number): number | undefined {
  const delay = seconds[attempts - 1] ?? seconds.at(-1)!
  const past = Array.from({ length: attempts }, (_, i) => seconds[i] ?? seconds.at(-1)!).reduce((a, b) => a + b, 0)
  return past > longest ? undefined : delay * 1_000
}
