import { worker } from '#core/http/worker'
import { notification } from '#notification/index'

export { Meter } from '#core/metrics/meter'
export { FirstReply } from '#core/objects/first-reply'
export default worker<NotificationEnv>(notification)
