// The Worker of the feed: exports its API and durable objects for the runtime. Every minute it deletes expired records,
// and rows of the change log that are older than a day.
import { open } from '#core/db/open'
import { withPersonalData, worker } from '#core/http/worker'
import { feed } from '#feed/index'
import { personalData } from '#feed/person'
import { sweepChanges } from '#feed/read-flags'
import { sweepRecords } from '#feed/retention'
import { schema } from '#feed/schema'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { Audience } from '#feed/audience'
export default worker<FeedEnv>(
  withPersonalData(feed, personalData),
  (env) => sweepChanges(open(env, schema), new Date()),
  (env) => sweepRecords(env),
)
