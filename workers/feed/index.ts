import { open } from '#core/db/open'
import { worker } from '#core/http/worker'
import { feed } from '#feed/index'
import { sweepChanges } from '#feed/reading'
import { schema } from '#feed/schema'

export { Meter } from '#core/metrics/meter'
export { FirstReply } from '#core/objects/first-reply'
export { Audience } from '#feed/audience'
export default worker<FeedEnv>(feed, async (env) => {
  await sweepChanges(open(env, schema), new Date())
})
