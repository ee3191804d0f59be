import { Failure, failure } from '#core/failure'

/** How much of its limit a database uses, both in bytes. */
export interface Usage {
  bytes: number
  limit: number
}

type Measure = (env: object) => Promise<Usage | undefined>

let measure: Measure | undefined

/** Sets how this isolate measures its component's database; without one there is nothing to measure. */
export function measureWith(given: Measure): void {
  measure = given
}

/** The usage of the component's D1 database; `undefined` where it has none. */
export const readUsage = async (env: object): Promise<Usage | undefined> => measure?.(env)

/** The share of the limit from which on nothing is added: the rest is for changes of what is there. */
const fullShare = 0.95

/** Below this share of the limit one measurement admits calls for a minute; above, each call measures. */
const closeShare = 0.9
const admissionMs = 60_000

const admitted = new WeakMap<object, number>()

/** Refuses a call that adds rows to a full database, with 503 `database_full`. */
export async function checkCapacity(env: object): Promise<void> {
  const at = admitted.get(env)
  if (at !== undefined && Date.now() - at < admissionMs) return
  // A database that does not answer fails the call itself, and says why.
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
    'The database of this component is full. Delete records, or move the component to Postgres; reading, changing and deleting work.',
    { retryAfter: 3_600 },
  )
