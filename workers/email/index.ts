// The Worker that sends mail over SMTP: exports its API and durable objects for the runtime, and limits the requests
// that are in progress at a time.
import { withPersonalData, worker } from '#core/http/worker'
import { withConcurrencyLimit } from '#email/concurrency-limit'
import { email } from '#email/index'
import { personalData } from '#email/person'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { SmtpOutlet } from '#email/outlet/smtp-outlet'
export default worker<EmailEnv>(withPersonalData(withConcurrencyLimit(email), personalData))
