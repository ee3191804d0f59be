import { invalid } from '#core/failure'
import type { Hash } from '../algorithms.ts'
import type { FoundSigner } from './cms-signers.ts'
import type { SignedData } from './signed-data.ts'

/** What a signer has signed. */
export interface Covered {
  part: 'content' | 'signature'
  /** Its type, which signed attributes must name; nothing for a signature, which has none (RFC 5652, section 11.4). */
  type: string | undefined
  /** Throws a `Failure` when it is neither inside nor given. */
  bytes(): Uint8Array<ArrayBuffer>
  digest(hash: Hash): Promise<Uint8Array<ArrayBuffer>>
}

/** The content of signed data: what it carries, else what was given besides. */
export function contentIn({ content, contentType }: SignedData, given: Uint8Array<ArrayBuffer> | undefined): Covered {
  const bytes = content ?? given
  const known = () => {
    if (bytes) return bytes
    throw invalid('content', 'Is required: the signature is detached from what it signs')
  }
  return { part: 'content', type: contentType, bytes: known, digest: digestOf(known) }
}

/** The signature that a counter-signature signs. */
export function signatureOf({ info: { signature } }: FoundSigner): Covered {
  const bytes = () => signature
  return { part: 'signature', type: undefined, bytes, digest: digestOf(bytes) }
}

/** Computed once for each hash, however many have signed. */
function digestOf(bytes: Covered['bytes']): Covered['digest'] {
  const digests = new Map<Hash, Promise<ArrayBuffer>>()
  return async (hash) => {
    const digest = digests.get(hash) ?? crypto.subtle.digest(hash, bytes())
    digests.set(hash, digest)
    return new Uint8Array(await digest)
  }
}
