const longest = 3_600_000

/**
 * Milliseconds until a request is made again after `tries` that failed: twice as long each time, up to an hour or the first
 * delay, of which a random half is left out, so that what failed together is not repeated together.
 */
export function backoff(delay: number, tries: number, random: number = Math.random()): number {
  const full = Math.min(delay * 2 ** Math.min(tries - 1, 30), Math.max(longest, delay))
  return Math.round(full / 2 + (full / 2) * random)
}
