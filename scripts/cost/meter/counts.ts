// What a Worker and its objects have used since they were last asked; each isolate has its own.

export interface MeterCounts {
  /** Requests and calls that the Worker has served, those by bindings included. */
  invocations: number
  /** Of services that the Worker has bound. */
  bound: number
  /** Requests by global fetch. */
  fetched: number
  d1_calls: number
  d1_read: number
  d1_written: number
  /** Milliseconds that D1 has taken for its statements. */
  d1_ms: number
  /** Bytes of the database after the last statement. */
  d1_bytes: number
  object_requests: number
  alarms: number
  object_read: number
  object_written: number
  /** Milliseconds for which objects were at work. */
  object_ms: number
  r2_a: number
  r2_b: number
  r2_bytes_in: number
  r2_bytes_out: number
}

const none: MeterCounts = {
  ...{ invocations: 0, bound: 0, fetched: 0, d1_calls: 0, d1_read: 0, d1_written: 0, d1_ms: 0, d1_bytes: 0 },
  ...{ object_requests: 0, alarms: 0, object_read: 0, object_written: 0, object_ms: 0 },
  ...{ r2_a: 0, r2_b: 0, r2_bytes_in: 0, r2_bytes_out: 0 },
}

export const counts: MeterCounts = { ...none }

/** How often each object was called. */
export const busy = new Map<string, number>()

/** Where global fetch went, by origin and the first part of the path. */
export const calls = new Map<string, number>()

let open = 0

/** Does something that counts as being at work until it is over. */
export async function atWork<T>(act: () => Promise<T>): Promise<T> {
  open++
  try {
    return await act()
  } finally {
    open--
  }
}

/** All of it. */
export interface Metered {
  /** How much is under way. */
  open: number
  counts: MeterCounts
  busy: Record<string, number>
  calls: Record<string, number>
}

/** All that was counted so far. */
export const metered = (): Metered => ({
  open,
  counts: { ...counts },
  busy: Object.fromEntries(busy),
  calls: Object.fromEntries(calls),
})

export const tally = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
