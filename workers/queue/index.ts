import { worker } from '#core/http/worker'
import { wakeAll } from '#queue/backlogs'
import { queue } from '#queue/index'

export { Meter } from '#core/metrics/meter'
export { FirstReply } from '#core/objects/first-reply'
export { Backlog } from '#queue/backlog'
export { Errand } from '#queue/errand'
export default worker<QueueEnv>(queue, wakeAll)
