// Describes in the OpenAPI document who may call an operation: the scope of keys and tokens, their bounds, and other ways in.
import type { About, CoreEnv, Endpoint } from './declaration.ts'

/** An OpenAPI security requirement: the names of schemes with the scopes that each of them needs. */
export type SecurityRequirement = Record<string, string[]>

/** The part of an OpenAPI operation that describes who may call it. */
export interface OperationAccess {
  /** Alternatives. None: open to everyone. An empty one: the proof of `x-proven-by`. */
  security: SecurityRequirement[]
  /** Parameters to which credentials can be bound. */
  'x-bindable'?: readonly string[]
  /** Parameters that credentials with bounds may not pass. */
  'x-selectors'?: readonly string[]
  /** Description of a proof, such as a signature, that replaces credentials with the scope. */
  'x-proven-by'?: string
}

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A key, a token of `POST /access/token`, or one of AUTH_TOKENS. The requirement of an operation names the scope of keys and tokens; those of AUTH_TOKENS may do everything.',
}
const basic = {
  type: 'http',
  scheme: 'basic',
  description: 'HTTP_AUTH_USERNAME and HTTP_AUTH_PASSWORD, which may do everything.',
}
const token = {
  type: 'apiKey',
  in: 'query',
  name: 'token',
  description: 'A token of `POST /access/token`, for streams and downloads: browsers send no headers with these.',
}

/** The OpenAPI security schemes of a component's endpoints. */
export function schemesOf<Env extends CoreEnv>(
  { name, secretHeader }: About<Env>,
  endpoints: readonly Endpoint<Env>[],
): Record<string, object> {
  return {
    ...(secretHeader && { [name]: { type: 'apiKey', in: 'header', name: secretHeader } }),
    ...(endpoints.some(takesCredentials) && { bearer }),
    ...(endpoints.some((endpoint) => takesCredentials(endpoint) && !endpoint.byAccount) && { basic }),
    ...(endpoints.some(({ tokenInQuery }) => tokenInQuery) && { token }),
  }
}

const takesCredentials = <Env extends CoreEnv>({ open, onlyProven }: Endpoint<Env>) => !open && !onlyProven

/** The requirement of operations that declare none: any of the schemes with a header. */
export const documentSecurity = (schemes: Record<string, object>): SecurityRequirement[] =>
  Object.keys(schemes)
    .filter((name) => name !== 'token')
    .map((name) => ({ [name]: [] }))

/** Describes who may call an endpoint. */
export function accessOf<Env extends CoreEnv>(about: About<Env>, endpoint: Endpoint<Env>): OperationAccess {
  const { level = 'manage', bindable = [], selectors = [], provenBy, proof, byAccount, tokenInQuery } = endpoint
  if (endpoint.open) return { security: [] }
  const scopes = level === 'any' ? [] : [`${about.scopeComponent ?? about.name}:${level}`]
  const scoped = [
    { bearer: scopes },
    ...(byAccount ? [] : [{ basic: [] }]),
    ...(tokenInQuery ? [{ token: scopes }] : []),
  ]
  return {
    security: [
      ...(byAccount ? [{ [about.name]: [] }] : []),
      ...(takesCredentials(endpoint) ? scoped : []),
      ...(proof && !byAccount ? [{}] : []),
    ],
    ...(bindable.length > 0 && { 'x-bindable': bindable }),
    ...(selectors.length > 0 && { 'x-selectors': selectors }),
    ...(provenBy && { 'x-proven-by': provenBy }),
  }
}

/** The scope that an operation of an OpenAPI document needs. `undefined` if it needs none. */
export const scopeOf = ({ security }: Pick<OperationAccess, 'security'>): string | undefined =>
  security.flatMap((requirement) => requirement.bearer ?? [])[0]
