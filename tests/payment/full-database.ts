import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['GET /pay'], ['POST /pay']],
  before: 0,
  others: [['GET /transactions']],
}
