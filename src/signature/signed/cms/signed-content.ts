// Finds the bytes that a CMS signer signs: the embedded content, the detached content, or another signature.
import { invalid } from '#core/failure'
import type { Hash } from '../algorithms.ts'
import type { SignerMatch } from './cms-signers.ts'
import type { SignedData } from './signed-data.ts'

/** The part that a signer signs: the content, or for a counter-signature another signature. */
export interface SignedContent {
  part: 'content' | 'signature'
  /**
   * Content type, which the signed attributes must repeat; undefined for a counter-signature, which has none (RFC 5652, section
   * 11.4).
   */
  type: string | undefined
  /** Returns the signed bytes. Throws 400 if the content is detached and the request has no `content`. */
  bytes(): Uint8Array<ArrayBuffer>
  digest(hash: Hash): Promise<Uint8Array<ArrayBuffer>>
}

/** Returns the content of signed data: the embedded content, else the content that the request gives for a detached signature. */
export function contentOf(
  { content, contentType }: SignedData,
  detached: Uint8Array<ArrayBuffer> | undefined,
): SignedContent {
  const bytes = content ?? detached
  const required = () => {
    if (bytes) return bytes
    throw invalid('content', 'Is required, because the signature is detached')
  }
  return { part: 'content', type: contentType, bytes: required, digest: digestOf(required) }
}

/** Returns the signature value that a counter-signature signs. */
export function signatureOf({ info: { signature } }: SignerMatch): SignedContent {
  const bytes = () => signature
  return { part: 'signature', type: undefined, bytes, digest: digestOf(bytes) }
}

/** Returns a function that computes digests of the content. Each digest is computed once, also if several signers need it. */
function digestOf(bytes: SignedContent['bytes']): SignedContent['digest'] {
  const digests = new Map<Hash, Promise<ArrayBuffer>>()
  return async (hash) => {
    const digest = digests.get(hash) ?? crypto.subtle.digest(hash, bytes())
    digests.set(hash, digest)
    return new Uint8Array(await digest)
  }
}
