import { worker } from '#core/http/worker'
import { sms } from '#sms/index'

export { FirstReply } from '#core/objects/first-reply'
export default worker<SmsEnv>(sms)
