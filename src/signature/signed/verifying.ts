import { verifyCms } from './cms/verify.ts'
import { derOf } from './form.ts'
import type { Format, Verification } from './signed.ts'
import { verifyXml } from './xml/verify.ts'

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
