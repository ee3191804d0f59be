import { worker } from '#core/http/worker'
import { sms } from '#sms/index'
import { sweepMessages } from '#sms/sweep'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { ProviderCircuit } from '#sms/circuit'
export default worker<SmsEnv>(sms, (env) => sweepMessages(env))
