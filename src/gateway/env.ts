// The gateway's environment. Its service bindings, one for each component, are found by name: see `services.ts`.
import type { CoreEnv } from '#core/http/declaration'
import type { Operations } from './operations.ts'

/**
 * The variables of the gateway. Its service bindings, one for each component, are not declared here: `serviceOf` finds
 * them by name.
 */
export interface Env extends CoreEnv {
  /** `true`: the console is served. Default: only on a local start. */
  CONSOLE?: string
  /** The object that runs operations on all components. */
  OPERATIONS?: DurableObjectNamespace<Operations>
  /** The files of the console and the guide. */
  ASSETS?: Pick<Fetcher, 'fetch'>
}
