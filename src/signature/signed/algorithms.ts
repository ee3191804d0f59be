/** The hashes that WebCrypto has on workerd and that signatures use. */
export type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

/** How a signature was made, as far as the platform can check it. */
export type Scheme =
  | { kind: 'RSA'; hash: Hash }
  | { kind: 'RSA-PSS'; hash: Hash; saltLength: number }
  | { kind: 'ECDSA'; hash: Hash }
  | { kind: 'Ed25519' }

/** An algorithm by its name for people; `scheme` only where the platform can check it. */
export interface Algorithm {
  name: string
  scheme?: Scheme
}

/** `RSA with SHA-256`. */
export const nameOfScheme = (scheme: Scheme) =>
  scheme.kind === 'Ed25519' ? scheme.kind : `${scheme.kind} with ${scheme.hash}`
