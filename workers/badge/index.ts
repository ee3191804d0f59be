// The Worker of the badges: exports their API and durable objects for the runtime, and deletes expired badges every
// minute.
import { expiryCutoff } from '#badge/env'
import { expireBadges } from '#badge/expiry'
import { badge } from '#badge/index'
import { personalData } from '#badge/person'
import { schema } from '#badge/schema'
import { open } from '#core/db/open'
import { withPersonalData, worker } from '#core/http/worker'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export default worker<BadgeEnv>(withPersonalData(badge, personalData), async (env) => {
  const cutoff = expiryCutoff(env, new Date())
  if (cutoff) await expireBadges(open(env, schema), cutoff)
})
