import { worker } from '#core/http/worker'
import { admitting } from '#email/admission'
import { email } from '#email/index'

export { Meter } from '#core/metrics/meter'
export { FirstReply } from '#core/objects/first-reply'
export default worker<EmailEnv>(admitting(email))
