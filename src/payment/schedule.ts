const second = 1_000
const delays = [10 * second, 60 * second, 300 * second, 900 * second, 3_600 * second]

/** The longest that an attempt is waited for. */
export const longestDelay = delays.at(-1)!

/** Milliseconds from the end of the n-th attempt to the next: 10 seconds, 1, 5 and 15 minutes, then hourly without end. */
export const delayAfter = (attempts: number): number => delays[attempts - 1] ?? longestDelay
