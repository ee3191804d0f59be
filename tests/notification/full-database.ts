// Calls to the notifications with which tests/stack/boot fills their database: creating templates must fail, and other calls
// must still work.
import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['POST /notification', { name: 'n', code: 'n', has_sms: true, sms_message: 'a' }]],
  before: 1,
  others: [['POST /notifications'], ['GET /notification', { code: 'n' }]],
}
