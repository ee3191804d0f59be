// Calls to the feed with which tests/stack/boot fills its database: adding collections and records must fail, and other calls
// must still work.
import type { FullDatabaseCalls } from '../support/full-database.ts'

const recipient = { collection: 'news', recipient: 'ann' }
const record = { collection: 'news', id: 1 }

export const calls: FullDatabaseCalls = {
  adds: [
    ['POST /collection', { name: 'news' }],
    ['POST /record', { ...recipient, title: 'a' }],
    ['POST /records', { collection: 'news', records: [{ recipient: 'ann', title: 'b' }] }],
  ],
  before: 2,
  others: [
    ['GET /records', recipient],
    ['POST /record/read', record],
    ['POST /records/read', recipient],
    ['DELETE /record', record],
  ],
}
