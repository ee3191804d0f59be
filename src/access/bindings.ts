import type { DatabaseEnv } from '#core/db/open'
import type { CoreEnv } from '#core/http/declaration'

/** Bindings and variables of the component. */
export interface Env extends CoreEnv, DatabaseEnv {}
