// The calls of the signature API that a full database rejects, and those that still work. tests/stack/boot makes them.
import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['POST /signature', { document: 'd', thread: 't', version: 0, cms: 'AAAA' }]],
  before: 0,
  others: [['GET /signatures']],
}
