// Calls to the deliveries with which tests/stack/boot fills their database: starting deliveries must fail, and other calls must
// still work.
import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [
    ['POST /delivery', { name: 'd', min: 1, max: 10, gap: 10, data_url: 'http://localhost:1/', filters: {} }],
    ['POST /delivery/copy', { id: 1 }],
  ],
  before: 0,
  others: [['GET /deliveries']],
}
