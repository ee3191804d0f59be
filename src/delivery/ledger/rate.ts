// Rate limiter (leaky bucket) for the messages of a delivery with `max_per_second`, and for those of one outlet that throttles.

/** The state of a rate limiter: its limit, null for none, and the time of the next message. */
interface Rate {
  max_per_second: number | null
  /** Time of the next message in milliseconds; 0 before the first message. */
  next_at: number
}

/**
 * Capacity that was not used can be used later, for at most this time in milliseconds. A late timer therefore does not lower
 * the rate.
 */
export const graceMs = 250

const intervalOf = (perSecond: number) => 1_000 / perSecond

/** Number of messages that can be sent now. The bucket works as a meter: the virtual scheduling algorithm of ITU-T I.371. */
export function allowed({ max_per_second, next_at }: Rate, now: number): number {
  if (max_per_second === null) return Number.POSITIVE_INFINITY
  const from = bucketStart(next_at, now)
  return from > now ? 0 : Math.floor((now - from) / intervalOf(max_per_second)) + 1
}

/** The time of the next message, if this number of messages is sent now. */
export const nextAfter = ({ max_per_second, next_at }: Rate, messages: number, now: number): number =>
  max_per_second === null ? next_at : bucketStart(next_at, now) + messages * intervalOf(max_per_second)

const bucketStart = (nextAt: number, now: number): number => (nextAt === 0 ? now : Math.max(nextAt, now - graceMs))

/** Milliseconds until the next message can be sent. */
export const waitFor = ({ max_per_second, next_at }: Rate, now: number): number =>
  max_per_second === null ? 0 : Math.max(0, next_at - now)

/** Whether fewer messages are sent than the rate allows, so that more slices are needed. False before the first message. */
export const isBehind = ({ max_per_second, next_at }: Rate, now: number): boolean =>
  max_per_second !== null && next_at > 0 && next_at < now - graceMs
