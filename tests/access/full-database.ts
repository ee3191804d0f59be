import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['POST /key', { name: 'a', scopes: ['feed:read'] }]],
  before: 1,
  others: [['GET /keys']],
}
