import { verifyCms } from './cms/cms-verifier.ts'
import { derOf } from './input-format.ts'
import type { Format, Verification } from './types.ts'
import { verifyXml } from './xml/xml-verifier.ts'

/**
 * Checks digests and signatures, not whom to trust. `content` is what a detached signature is of: one that needs it
 * and is not given it is a `Failure`, 400 for the parameter `content`.
 */
export async function verifySigned(
  bytes: Uint8Array<ArrayBuffer>,
  format: Format,
  content?: Uint8Array<ArrayBuffer>,
): Promise<Verification> {
  return format === 'xml' ? verifyXml(bytes, content) : verifyCms(derOf(bytes), content)
}
