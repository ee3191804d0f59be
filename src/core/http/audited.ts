// Audit rows of calls: which object a call names, and the row of a finished call.
import { type AuditEnv, auditKeyOf, recordAudit } from '#core/access/audit'
import type { Credential } from '#core/access/credential'

/** What the pipeline notes about a call that belongs in the audit log. */
export interface AuditedCall {
  operation: string
  /** The object that the call names. */
  object?: string | undefined
  /** A `proof`, such as the secret of a user of the component, identified the caller. */
  isProven?: true
}

/**
 * Parameters with the id of an object, unless the endpoint declares another one. The first that the call passes counts. `code` is
 * none: codes of search documents may be phones or email addresses.
 */
const idParameters = ['id', 'digest', 'uuid', 'name', 'document', 'worker', 'index', 'collection']

/** Values with `@` or `+` could be email addresses or phones. */
const pattern = /^[^@+]{1,128}$/

/** The id of the object that a call names. Undefined if there is none, and for values that could be personal. */
export function objectIdOf(
  objectId: string | undefined,
  params: Readonly<Record<string, unknown>>,
): string | undefined {
  const names = objectId ? [objectId] : idParameters
  const value = names
    .map((name) => params[name])
    .find((value) => typeof value === 'string' || typeof value === 'number')
  const text = value === undefined ? '' : String(value)
  return pattern.test(text) ? text : undefined
}

/** The operation of an endpoint in the audit log: method and path, such as `DELETE /media/file/{digest}`. */
export function operationOf(
  { name, scopeComponent }: { name: string; scopeComponent?: string },
  { method, path }: { method: string; path: string },
): string {
  // The gateway's own endpoints have scopes for all components, and no prefix.
  const prefix = scopeComponent ? '' : `/${name}`
  return `${method.toUpperCase()} ${prefix}${path.replace(/:(\w+)/g, '{$1}')}`
}

interface FinishedCall {
  component: string
  status: number
  request: Request
  requestId: string
}

/** Adds the row of a finished call. Calls without valid credentials have none: anyone could fill the log with them. */
export function recordCall(
  env: AuditEnv,
  { operation, object, isProven }: AuditedCall,
  credential: Credential | undefined,
  { component, status, request, requestId }: FinishedCall,
): void {
  if (!credential && !isProven) return
  const address = request.headers.get('cf-connecting-ip')?.slice(0, 64)
  recordAudit(env, component, {
    at: Date.now(),
    key: credential ? auditKeyOf(credential) : 'proof',
    operation,
    ...(object !== undefined && { object }),
    request: requestId,
    status,
    ...(address && { address }),
  })
}
