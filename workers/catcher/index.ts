import { catcher } from '#catcher/index'
import { worker } from '#core/http/worker'

export { Space } from '#catcher/space'
export default worker<CatcherEnv>(catcher)
