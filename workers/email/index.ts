import { worker } from '#core/http/worker'
import { admitting } from '#email/admission'
import { email } from '#email/index'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export default worker<EmailEnv>(admitting(email))
