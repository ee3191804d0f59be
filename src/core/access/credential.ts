// What the credentials of a request allow.

/** Values that parameters must have, by the name of the parameter, such as `{ recipient: 'ann' }`. */
export type Bounds = Readonly<Record<string, string>>

export interface Credential {
  /**
   * `root`: one of `AUTH_TOKENS`, or HTTP Basic. `key`: a key of the component `access`. `token`: a token that a key issued.
   * `service`: a token of another component. `none`: the deployment is open, and the request has no credentials.
   */
  kind: 'root' | 'key' | 'token' | 'service' | 'none'
  /** Id of the key, that of the key that issued a token, or the name of the calling component. */
  id?: string
  scopes: readonly string[]
  bounds: Bounds
  /** Origins of the pages that may use the token. Unset: all. */
  origins?: readonly string[]
  /** Limit of the key, which its tokens share. */
  requestsPerMinute?: number
  /** Unix time in milliseconds from which it is refused. Unset: never. */
  expires?: number
  /** SHA-256 in hex of the secret of a key: a rotation ends it. */
  secretHash?: string
}

/** The `id` of tokens that were issued with `AUTH_TOKENS`, which have no id. */
export const rootId = 'root'

/** The credential of a caller that may do everything. */
export const unlimited = (kind: 'root' | 'none'): Credential => ({ kind, scopes: ['*'], bounds: {} })
