// The Worker of the one-time passwords: exports their API and durable objects for the runtime. Every minute it creates
// tasks for replies of the bot that a crash interrupted, and deletes expired rows.
import { withPersonalData, worker } from '#core/http/worker'
import { otp } from '#otp/index'
import { personalData } from '#otp/person'
import { sweepPasswords } from '#otp/sweep'
import { answerPending } from '#otp/webhook'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'
export { Guard } from '#otp/guard'
export { Limiter } from '#otp/limiter'
export default worker<OtpEnv>(withPersonalData(otp, personalData), answerPending, sweepPasswords)
