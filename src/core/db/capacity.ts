import { Failure, failure } from '#core/failure'

// Refuses requests that add rows when a component's D1 database is nearly full, so that rows can still be changed and
// deleted.

/** Size and limit of a database in bytes. */
export interface Usage {
  bytes: number
  limit: number
}

type Measure = (env: object) => Promise<Usage | undefined>

let measure: Measure | undefined

/**
 * Sets the function that measures the component's D1 database. Until a function is set, `readUsage` returns `undefined`
 * and no request is refused.
 */
export function measureWith(measureDatabase: Measure): void {
  measure = measureDatabase
}

/** The usage of the component's D1 database; `undefined` if it has none. */
export const readUsage = async (env: object): Promise<Usage | undefined> => measure?.(env)

/**
 * Share of D1's size limit from which requests that add rows are refused. The last 5 % stay free, since changing and
 * deleting rows needs space too.
 */
const fullShare = 0.95

/**
 * Below this share of D1's size limit, one measurement admits all requests for a minute. Above it, each request
 * measures again, since the database could fill up within the minute.
 */
const closeShare = 0.9
const admissionMs = 60_000

const admitted = new WeakMap<object, number>()

/** Throws 503 `database_full` if the component's D1 database is nearly full. Call it before rows are added. */
export async function checkCapacity(env: object): Promise<void> {
  const at = admitted.get(env)
  if (at !== undefined && Date.now() - at < admissionMs) return
  // A failed measurement refuses nothing: if the database is down, the next query of the request fails too and reports
  // the cause. Only a `Failure`, such as an invalid variable, is thrown.
  const usage = await readUsage(env).catch((error: unknown) => {
    if (Failure.is(error)) throw error
    return undefined
  })
  if (!usage) return
  const share = usage.bytes / usage.limit
  if (share >= fullShare) throw databaseFull()
  if (share < closeShare) admitted.set(env, Date.now())
  else admitted.delete(env)
}

const databaseFull = () =>
  failure(
    'database_full',
    'The database of this component is full. Delete records, or move the component to Postgres. Reading, changing and deleting still work.',
    { retryAfter: 3_600 },
  )
