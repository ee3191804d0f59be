// Types of the signature schemes that can be verified, and their names for replies. Both formats, CMS and XML, use them.

/** Hash algorithms of signatures that WebCrypto supports on workerd. */
export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** A signature scheme that can be verified. */
export type Scheme =
  | { kind: 'RSA'; hash: Hash }
  | { kind: 'RSA-PSS'; hash: Hash; saltLength: number }
  | { kind: 'ECDSA'; hash: Hash }
  | { kind: 'Ed25519' }

/** A signature algorithm with its name for replies. `scheme` is undefined if the algorithm is not supported. */
export interface Algorithm {
  name: string
  scheme?: Scheme
}

/** The name of a scheme, such as `RSA with SHA-256`. */
export const nameOfScheme = (scheme: Scheme) =>
  scheme.kind === 'Ed25519' ? scheme.kind : `${scheme.kind} with ${scheme.hash}`
