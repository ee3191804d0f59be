import { worker } from '#core/http/worker'
import { sms } from '#sms/index'
import { sweepMessages } from '#sms/sweeping'

export { Meter } from '#core/metrics/meter'
export { FirstReply } from '#core/objects/first-reply'
export { ProviderCircuit } from '#sms/circuit'
export default worker<SmsEnv>(sms, (env) => sweepMessages(env))
