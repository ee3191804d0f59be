// The Worker of the SMS gateway: exports its API and durable objects. Every minute it settles interrupted messages,
// applies pending receipts and deletes old messages.
import { withPersonalData, worker } from '#core/http/worker'
import { sms } from '#sms/index'
import { personalData } from '#sms/person'
import { sweepMessages } from '#sms/sweep'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { ProviderCircuit } from '#sms/circuit'
export default worker<SmsEnv>(withPersonalData(sms, personalData), (env) => sweepMessages(env))
