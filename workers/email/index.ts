// The Worker of the mail sender: exports its API, with a limit on the mail requests in progress, and its durable
// objects.
import { worker } from '#core/http/worker'
import { withConcurrencyLimit } from '#email/concurrency-limit'
import { email } from '#email/index'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export default worker<EmailEnv>(withConcurrencyLimit(email))
