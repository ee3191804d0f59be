import { worker } from '#core/http/worker'
import { otp } from '#otp/index'

export { Guard } from '#otp/guard'
export { Limiter } from '#otp/limiter'
export default worker<OtpEnv>(otp)
