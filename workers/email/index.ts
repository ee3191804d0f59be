import { worker } from '#core/http/worker'
import { admitting } from '#email/admission'
import { email } from '#email/index'

export { FirstReply } from '#core/objects/first-reply'
export default worker<EmailEnv>(admitting(email))
