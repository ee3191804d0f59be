import { worker } from '#core/http/worker'
import { delivery } from '#delivery/index'

export { Ledger } from '#delivery/ledger'
export default worker<DeliveryEnv>(delivery)
