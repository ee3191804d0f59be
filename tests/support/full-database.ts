// Calls to a component whose database is full: tests/<component>/full-database.ts has them, and tests/stack/boot makes them.

export type Called = [call: string, params?: object]

export interface FullDatabaseCalls {
  /** Every call that adds rows. The first ones are also made before the database is full. */
  adds: Called[]
  /** How many of `adds` are made before. */
  before: number
  /** Reads, changes and deletes of what they have added. */
  others: Called[]
}
