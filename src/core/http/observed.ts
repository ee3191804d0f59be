import type { Credential } from '#core/access/credential'
import type { AuditedCall } from './audited.ts'

/** Hono's environment: the variables that middleware and handlers set for the log and the metrics. */
export interface Observed<Env> {
  Bindings: Env
  Variables: {
    requestId: string
    route?: string
    /** The error code of the reply. */
    code?: string
    /** What the caller may do, once that is known. Also set if the call is refused afterwards. */
    credential?: Credential
    /** A valid credential that the call did not need. */
    sent?: Credential
    /** `Authorization` is not for this deployment, so that it allows no page to read the reply. */
    takesAnyAuthorization?: true
    /** Set if the call belongs in the audit log. */
    audited?: AuditedCall
    /** Whether the endpoint replies with a page for people, for which browsers may ask for a password. */
    isPage?: boolean
  }
}
