import { worker } from '#core/http/worker'
import { email } from '#email/index'

export { FirstReply } from '#core/objects/first-reply'
export default worker<EmailEnv>(email)
