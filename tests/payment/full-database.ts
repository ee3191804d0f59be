// The calls of the payment component with which tests/support/full-database.ts checks that a full database refuses new rows only.
import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['GET /pay'], ['POST /pay']],
  before: 0,
  others: [['GET /transactions']],
}
