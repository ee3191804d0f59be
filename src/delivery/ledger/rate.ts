// Rate limiter for the messages of a delivery or of one outlet (leaky bucket).

/** The state of a rate limiter. */
interface Rate {
  max_per_second: number | null
  /** The time of the next message; 0 before the first one. */
  next_at: number
}

/** Unused capacity of this time can be used later, so the rate is exceeded for at most this time. */
export const graceMs = 250

const intervalOf = (perSecond: number) => 1_000 / perSecond

/** Number of messages that can be sent now (leaky bucket as a meter: the virtual scheduling algorithm of ITU-T I.371). */
export function allowed({ max_per_second, next_at }: Rate, now: number): number {
  if (max_per_second === null) return Number.POSITIVE_INFINITY
  const from = bucketStart(next_at, now)
  return from > now ? 0 : Math.floor((now - from) / intervalOf(max_per_second)) + 1
}

/** The time of the next message after `messages` are sent now. */
export const nextAfter = ({ max_per_second, next_at }: Rate, messages: number, now: number): number =>
  max_per_second === null ? next_at : bucketStart(next_at, now) + messages * intervalOf(max_per_second)

const bucketStart = (nextAt: number, now: number): number => (nextAt === 0 ? now : Math.max(nextAt, now - graceMs))

/** Milliseconds until a message can be sent. */
export const waitFor = ({ max_per_second, next_at }: Rate, now: number): number =>
  max_per_second === null ? 0 : Math.max(0, next_at - now)

/** Whether fewer messages are sent than the rate allows. False before the first message. */
export const isBehind = ({ max_per_second, next_at }: Rate, now: number): boolean =>
  max_per_second !== null && next_at > 0 && next_at < now - graceMs
