// The type of the calls that tests make on a component with a full database. Each component lists them in
// tests/<component>/full-database.ts, and tests/stack/boot makes them.

export type Called = [call: string, params?: object]

export interface FullDatabaseCalls {
  /** Every call that adds rows. The first ones are also made before the database is full. */
  adds: Called[]
  /** Number of calls of `adds` that are made before the database is full. */
  before: number
  /** Calls that read, change and delete what the calls of `adds` have added. */
  others: Called[]
}
