// Finds the bytes that a CMS signer signs: embedded content, detached content or another signature.
import { invalid } from '#core/failure'
import type { Hash } from '../algorithms.ts'
import type { SignerMatch } from './cms-signers.ts'
import type { SignedData } from './signed-data.ts'

/** The part that a signer signs: the content, or for a counter-signature another signature. */
export interface SignedContent {
  part: 'content' | 'signature'
  /** Content type, which the signed attributes must name; undefined for a signature (RFC 5652, section 11.4). */
  type: string | undefined
  /** Throws 400 if the content is detached and was not given. */
  bytes(): Uint8Array<ArrayBuffer>
  digest(hash: Hash): Promise<Uint8Array<ArrayBuffer>>
}

/** The content of signed data: the embedded content, else the content given for a detached signature. */
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

/** The signature that a counter-signature signs. */
export function signatureOf({ info: { signature } }: SignerMatch): SignedContent {
  const bytes = () => signature
  return { part: 'signature', type: undefined, bytes, digest: digestOf(bytes) }
}

/** Computes each digest once for all signers. */
function digestOf(bytes: SignedContent['bytes']): SignedContent['digest'] {
  const digests = new Map<Hash, Promise<ArrayBuffer>>()
  return async (hash) => {
    const digest = digests.get(hash) ?? crypto.subtle.digest(hash, bytes())
    digests.set(hash, digest)
    return new Uint8Array(await digest)
  }
}
