// Calls to the one-time passwords with which tests/stack/boot fills their database: sending must fail, and other calls must
// still work.
import type { FullDatabaseCalls } from '../support/full-database.ts'

const phone = '77010000002'
const password = { password: '12345678', lifetime: 300, message: 'Code', text: 'Code' }

export const calls: FullDatabaseCalls = {
  adds: [
    ['POST /sms', { phone, ...password }],
    ['POST /call', { phone, ...password }],
    ['POST /email', { email: 'ann@example.com', subject: 'Code', ...password }],
    ['POST /chatapp', { chat_id: '1', ...password }],
    ['POST /chatapp/webhook', { update_id: 1 }],
  ],
  before: 1,
  others: [['GET /sms/check', { phone, password: password.password }], ['GET /sends']],
}
