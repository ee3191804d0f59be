import { worker } from '#core/http/worker'
import { payment } from '#payment/index'

export { Webhooks } from '#payment/webhooks'
export default worker<PaymentEnv>(payment)
