import { Failure, failure } from '#core/failure'

// Refuses new rows when a component's D1 database is nearly full.

/** Size and limit of a database in bytes. */
export interface Usage {
  bytes: number
  limit: number
}

type Measure = (env: object) => Promise<Usage | undefined>

let measure: Measure | undefined

/** Sets the function that measures the component's database. Without it `readUsage` returns `undefined`. */
export function measureWith(measureDatabase: Measure): void {
  measure = measureDatabase
}

/** The usage of the component's D1 database; `undefined` if it has none. */
export const readUsage = async (env: object): Promise<Usage | undefined> => measure?.(env)

/** From this share of the limit on, new rows are refused. The rest is for changes of existing rows. */
const fullShare = 0.95

/** Below this share, one measurement admits calls for a minute. Above, each call measures. */
const closeShare = 0.9
const admissionMs = 60_000

const admitted = new WeakMap<object, number>()

/** Throws 503 `database_full` if the database is full. Call it before rows are added. */
export async function checkCapacity(env: object): Promise<void> {
  const at = admitted.get(env)
  if (at !== undefined && Date.now() - at < admissionMs) return
  // If the database does not answer, the query of the call itself fails with the cause.
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
