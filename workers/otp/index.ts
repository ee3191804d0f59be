import { worker } from '#core/http/worker'
import { otp } from '#otp/index'
import { sweepPasswords } from '#otp/sweeping'
import { answerUnanswered } from '#otp/webhook'

export { Meter } from '#core/metrics/meter'
export { FirstReply } from '#core/objects/first-reply'
export { Guard } from '#otp/guard'
export { Limiter } from '#otp/limiter'
export default worker<OtpEnv>(otp, answerUnanswered, sweepPasswords)
