/** What holds a delivery to its rate. */
interface Rate {
  max_per_second: number | null
  /** When the next message may go, in milliseconds; 0 before the first one. */
  next_at: number
}

/** How much of what nobody took in time may be taken later. What is left over of it is lost: the rate is never exceeded for longer. */
export const grace = 250

const intervalOf = (perSecond: number) => 1_000 / perSecond

/** How many messages may go now (a leaky bucket as a meter: ITU-T I.371, the virtual scheduling algorithm). */
export function allowed({ max_per_second, next_at }: Rate, now: number): number {
  if (max_per_second === null) return Number.POSITIVE_INFINITY
  const from = fromWhen(next_at, now)
  return from > now ? 0 : Math.floor((now - from) / intervalOf(max_per_second)) + 1
}

/** When the next one may go after so many that go now. */
export const nextAfter = ({ max_per_second, next_at }: Rate, messages: number, now: number): number =>
  max_per_second === null ? next_at : fromWhen(next_at, now) + messages * intervalOf(max_per_second)

const fromWhen = (nextAt: number, now: number): number => (nextAt === 0 ? now : Math.max(nextAt, now - grace))

/** Milliseconds until one may go. */
export const waitFor = ({ max_per_second, next_at }: Rate, now: number): number =>
  max_per_second === null ? 0 : Math.max(0, next_at - now)

/** Whether less is sent than might be; not of the very first. */
export const isBehind = ({ max_per_second, next_at }: Rate, now: number): boolean =>
  max_per_second !== null && next_at > 0 && next_at < now - grace
