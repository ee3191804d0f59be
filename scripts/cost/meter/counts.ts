// The counters of a Worker's usage, for the cost measurement. Each isolate has its own counters.

export interface MeterCounts {
  /** Requests and calls that the Worker served, including those over bindings. */
  invocations: number
  /** Lines that the Worker and its objects logged. */
  logged: number
  /** Calls over service bindings. */
  bound: number
  /** Requests with the global fetch. */
  fetched: number
  d1_calls: number
  d1_read: number
  d1_written: number
  /** Duration of D1 statements in milliseconds. */
  d1_ms: number
  /** Size of the database after the last statement, in bytes. */
  d1_bytes: number
  object_requests: number
  alarms: number
  object_read: number
  object_written: number
  /** Time in milliseconds in which objects were active. */
  object_ms: number
  r2_a: number
  r2_b: number
  r2_bytes_in: number
  r2_bytes_out: number
}

const none: MeterCounts = {
  ...{ invocations: 0, logged: 0, bound: 0, fetched: 0, d1_calls: 0, d1_read: 0, d1_written: 0, d1_ms: 0, d1_bytes: 0 },
  ...{ object_requests: 0, alarms: 0, object_read: 0, object_written: 0, object_ms: 0 },
  ...{ r2_a: 0, r2_b: 0, r2_bytes_in: 0, r2_bytes_out: 0 },
}

export const counts: MeterCounts = { ...none }

/** Number of calls of each object. */
export const busy = new Map<string, number>()

/** Number of requests with the global fetch, by origin and first part of the path. */
export const calls = new Map<string, number>()

let open = 0

/** Runs a function and counts it as active until it ends, so that the measurement waits for it. */
export async function atWork<T>(act: () => Promise<T>): Promise<T> {
  open++
  try {
    return await act()
  } finally {
    open--
  }
}

/** The reading of a Worker's meter. */
export interface Metered {
  /** Number of functions that are still running. The stack is quiet at 0. */
  open: number
  counts: MeterCounts
  busy: Record<string, number>
  calls: Record<string, number>
}

/** All counts so far. */
export const metered = (): Metered => ({
  open,
  counts: { ...counts },
  busy: Object.fromEntries(busy),
  calls: Object.fromEntries(calls),
})

export const tally = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
