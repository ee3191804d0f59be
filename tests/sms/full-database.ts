// Calls to the SMS gateway with which tests/stack/boot fills its database: sending must fail, and other calls must still work.
import type { FullDatabaseCalls } from '../support/full-database.ts'

const phone = '77010000002'

export const calls: FullDatabaseCalls = {
  adds: [
    ['POST /blacklist', { phone }],
    ['POST /sms', { phones: phone, message: 'a' }],
    ['POST /call', { phones: phone, message: 'a' }],
  ],
  before: 1,
  others: [['GET /messages'], ['DELETE /blacklist', { phone }]],
}
