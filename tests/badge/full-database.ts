// The calls of the badge API that a full database rejects, and those that still work. tests/stack/boot makes them.
import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['POST /badge', { collection: 'c', user: 'u', name: 'a' }]],
  before: 1,
  others: [
    ['GET /badges', { collection: 'c', user: 'u' }],
    ['DELETE /badges', { collection: 'c', user: 'u', name: 'a' }],
  ],
}
