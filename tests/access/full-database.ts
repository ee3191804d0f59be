import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['POST /note', { text: 'a' }]],
  before: 1,
  others: [['GET /notes'], ['DELETE /note', { id: 1 }]],
}
