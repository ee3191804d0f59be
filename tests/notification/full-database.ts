import type { FullDatabaseCalls } from '../support/full-database.ts'

export const calls: FullDatabaseCalls = {
  adds: [['POST /notification', { name: 'n', code: 'n', has_sms: true, sms_message: 'a' }]],
  before: 1,
  others: [['POST /notifications'], ['GET /notification', { code: 'n' }]],
}
