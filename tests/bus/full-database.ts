// The calls of the bus with which tests/support/full-database.ts checks that a full database refuses new rows only.
import type { FullDatabaseCalls } from '../support/full-database.ts'

const uuid = '0190f3a4-7c51-7b2e-9d3f-5a1c8e6b4d03'

export const calls: FullDatabaseCalls = {
  adds: [
    ['POST /client', { name: 'writer', secret: 'a-secret-of-the-writer' }],
    ['POST /collection', { name: 'archive', type: 'storage' }],
    ['POST /access', { client: 2, collection: 1, level: 'write' }],
    ['POST /document', { collection: 'archive', event: 'created', uuid, data: {} }],
    ['POST /subscription', { collection: 'archive', url: 'https://example.com/events' }],
    ['POST /signing-secret', { collection: 'archive' }],
  ],
  before: 2,
  others: [['GET /collections'], ['GET /clients']],
}
