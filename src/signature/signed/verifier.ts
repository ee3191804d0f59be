// Verifies signed data in either format, CMS or XML. The store calls it for `POST /signature/verify`.
import { verifyCms } from './cms/cms-verifier.ts'
import { derOf } from './input-format.ts'
import type { Format, Verification } from './types.ts'
import { verifyXml } from './xml/xml-verifier.ts'

/**
 * Verifies the digests and signatures of signed data, not whether the certificates are trusted. `content` is the signed content of
 * a detached signature; without it, a detached signature throws 400 for the parameter `content`.
 */
export async function verifySignedData(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
  content?: Uint8Array<ArrayBuffer>,
): Promise<Verification> {
  return format === 'xml' ? verifyXml(bytes, content) : verifyCms(derOf(bytes), content)
}
