// Derives the error codes of an endpoint from its declaration, and reports an error that the declaration does not list.
import { env as bindings } from 'cloudflare:workers'
import type { CoreErrorCode } from '#core/errors'
import { Failure, failure } from '#core/failure'
import type { About, CoreEnv, Endpoint } from './declaration.ts'
import { log } from './log.ts'

/** HTTP methods that have no effect (safe methods, RFC 9110), so that pages of other sites may use them. */
export const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** All error codes of an endpoint: those implied by its declaration, and those that it lists under `errors`. */
export function errorCodesOf<Env extends CoreEnv>(endpoint: Endpoint<Env>): string[] {
  const { method, params, raw, open, level, onlyProven, idempotent, adds, errors = [] } = endpoint
  const checksCredentials = !(open && endpoint.takesAnyAuthorization)
  const hasScope = !open && !onlyProven
  // A DELETE refuses unknown parameters even if it declares none, since a misspelled one would delete too much. So it
  // can answer `validation_failed`.
  const readsParams = params || (method === 'delete' && !raw)
  const implied: (CoreErrorCode | false | undefined)[] = [
    (readsParams || idempotent) && 'validation_failed',
    readsParams && !raw && 'invalid_json',
    !raw && 'payload_too_large',
    // Also if the endpoint is open: wrong credentials are refused everywhere.
    checksCredentials && 'unauthorized',
    // Also for a GET: a token may be restricted to other origins.
    checksCredentials && 'cross_site_request',
    hasScope && level !== 'any' && 'insufficient_scope',
    hasScope && level !== 'any' && 'out_of_bounds',
    hasScope && 'rate_limit',
    checksCredentials && 'unavailable',
    idempotent && 'idempotency_key_reused',
    idempotent && 'idempotency_key_in_use',
    idempotent && 'outcome_unknown',
    adds && 'database_full',
    endpoint.addressLimit && 'rate_limit',
    // Every operation may answer with these codes: a variable can be missing, and the code can have a bug.
    'not_configured',
    'internal_error',
  ]
  return [...new Set([...implied.filter((code) => code !== undefined && code !== false), ...errors])]
}

/**
 * Logs an error whose code its endpoint does not declare. With `STRICT_ERRORS=true`, which the tests set, the error becomes an
 * `internal_error` that names the code.
 */
export function checkDeclared<Env extends CoreEnv>(about: About<Env>, endpoint: Endpoint<Env>) {
  const declared = new Set(errorCodesOf(endpoint))
  return (error: unknown): void => {
    if (!Failure.is(error) || declared.has(error.code)) return
    const operation = `${endpoint.method.toUpperCase()} ${endpoint.path}`
    const message = `${operation} answers with ${error.code}, which its declaration does not list under errors`
    log('error', { component: about.name, error: message })
    if (isStrict()) throw failure('internal_error', message)
  }
}

/**
 * Whether `STRICT_ERRORS` is set. The variable is read from the Worker's own bindings, since some tests pass another
 * environment to the request.
 */
const isStrict = () => Reflect.get(bindings, 'STRICT_ERRORS') === 'true'
