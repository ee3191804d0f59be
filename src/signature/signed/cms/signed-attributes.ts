// Checks the signed attributes of a CMS signer: the digest of the content, the content type and the algorithms.
import type { Hash } from '../algorithms.ts'
import { type Element, elementsOf, readBer, tags } from '../asn1/ber.ts'
import { derSetOf } from '../asn1/der.ts'
import { octetsOf, oidOf } from '../asn1/values.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, invalid, valid } from '../check-outcome.ts'
import { tryRead } from '../parse-errors.ts'
import type { SignedContent } from './signed-content.ts'
import { attributes, type SignerInfo, valuesOf } from './signer-info.ts'

const data = '1.2.840.113549.1.7.1'

/**
 * Checks the content type and the message digest in the signed attributes. If there are no attributes, checks that the content does
 * not require any.
 */
export async function checkAttributes(
  { signedAttributes }: SignerInfo,
  covered: SignedContent,
  hash: Hash,
): Promise<CheckOutcome> {
  if (!signedAttributes) return checkBareContent(covered)
  const [type, ...moreTypes] = valuesOf(signedAttributes, attributes.contentType)
  if (covered.type && (!type || moreTypes.length > 0 || tryRead(() => oidOf(type)) !== covered.type)) {
    return invalid('The content type in the signed attributes is not that of the content')
  }
  const [digest, ...moreDigests] = valuesOf(signedAttributes, attributes.messageDigest)
  if (digest?.tag !== tags.octetString || moreDigests.length > 0) {
    return invalid('The signed attributes must have exactly one message digest')
  }
  const isSame = equal(octetsOf(digest), await covered.digest(hash))
  return isSame ? valid : invalid(`The digest of the ${covered.part} does not match the signed digest`)
}

/**
 * Checks that the algorithms equal those in the attribute CMSAlgorithmProtection (RFC 6211), which exists to prevent their
 * substitution. Valid if the attribute is missing.
 */
export function checkAlgorithms({ signedAttributes, digestAlgorithm, signatureAlgorithm }: SignerInfo): CheckOutcome {
  const [protection, ...more] = valuesOf(signedAttributes, attributes.algorithmProtection)
  if (!protection) return valid
  const [digest, ...others] = tryRead(() => elementsOf(protection)) ?? []
  const signature = others.find(({ tag }) => tag === tags.context(1))
  const isSame =
    more.length === 0 && isSameAlgorithm(digest, digestAlgorithm) && isSameAlgorithm(signature, signatureAlgorithm)
  return isSame ? valid : invalid('The algorithms differ from those in the signed attributes')
}

/**
 * Compares two AlgorithmIdentifiers. Parameters that are NULL equal absent ones: both encodings are in use for the same algorithm.
 */
function isSameAlgorithm(one: Element | undefined, other: Element): boolean {
  const [parts, others] = [one, other].map((identifier) => {
    const elements = (identifier && tryRead(() => elementsOf(identifier))) ?? []
    return elements.filter(({ tag }) => tag !== nullTag).map(({ raw }) => raw.toHex())
  })
  return parts!.length > 0 && parts!.join() === others!.join()
}

const nullTag = 0x05

/**
 * Rejects content without signed attributes that could be an attack: an attacker presents the signed attributes of another
 * signature as the content, and the signature value matches. RFC 5652 requires signed attributes for all content types except plain
 * data, so only plain data is examined.
 */
function checkBareContent({ type, bytes }: SignedContent): CheckOutcome {
  if (type !== undefined && type !== data) return invalid('Content that is not plain data must have signed attributes')
  return looksLikeAttributes(bytes()) ? invalid('The content is the signed attributes of another signature') : valid
}

const looksLikeAttributes = (content: Uint8Array<ArrayBuffer>) =>
  content[0] === 0x31 &&
  content.length < 100_000 &&
  Boolean(tryRead(() => valuesOf(readBer(content), attributes.messageDigest))?.length)

/**
 * Returns the byte strings that the signature value may cover: the content, or if there are signed attributes, these as a SET, as
 * received and in DER.
 */
export function signedBytesOf({ signedAttributes }: SignerInfo, { bytes }: SignedContent): Uint8Array<ArrayBuffer>[] {
  return signedAttributes ? encodingsOf(signedAttributes) : [bytes()]
}

/**
 * Returns both encodings of signed attributes. Some software signs them unsorted; other software signs them sorted (DER), and sends
 * them in another order.
 */
function encodingsOf(list: Element): Uint8Array<ArrayBuffer>[] {
  const der = derSetOf(list)
  if (list.isIndefinite) return [der]
  const asGiven = list.raw.slice()
  asGiven[0] = 0x31
  return equal(asGiven, der) ? [der] : [asGiven, der]
}
