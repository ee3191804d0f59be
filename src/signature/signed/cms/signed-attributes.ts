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

/** Checks content type and message digest in the signed attributes; without attributes, checks that they are not required. */
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

/** Checks that the algorithms are those in the attribute CMSAlgorithmProtection, if there is one (RFC 6211). */
export function checkAlgorithms({ signedAttributes, digestAlgorithm, signatureAlgorithm }: SignerInfo): CheckOutcome {
  const [protection, ...more] = valuesOf(signedAttributes, attributes.algorithmProtection)
  if (!protection) return valid
  const [digest, ...others] = tryRead(() => elementsOf(protection)) ?? []
  const signature = others.find(({ tag }) => tag === tags.context(1))
  const isSame =
    more.length === 0 && isSameAlgorithm(digest, digestAlgorithm) && isSameAlgorithm(signature, signatureAlgorithm)
  return isSame ? valid : invalid('The algorithms differ from those in the signed attributes')
}

/** Compares two AlgorithmIdentifiers. NULL parameters equal absent parameters, since both are in use. */
function isSameAlgorithm(one: Element | undefined, other: Element): boolean {
  const [parts, others] = [one, other].map((identifier) => {
    const elements = (identifier && tryRead(() => elementsOf(identifier))) ?? []
    return elements.filter(({ tag }) => tag !== nullTag).map(({ raw }) => raw.toHex())
  })
  return parts!.length > 0 && parts!.join() === others!.join()
}

const nullTag = 0x05

/**
 * Prevents an attack: the signed attributes of another signature, presented as the content without attributes, would verify. RFC 5652
 * requires signed attributes for all content types except plain data, so only plain data must be examined.
 */
function checkBareContent({ type, bytes }: SignedContent): CheckOutcome {
  if (type !== undefined && type !== data) return invalid('Content that is not plain data must have signed attributes')
  return looksLikeAttributes(bytes()) ? invalid('The content is the signed attributes of another signature') : valid
}

const looksLikeAttributes = (content: Uint8Array<ArrayBuffer>) =>
  content[0] === 0x31 &&
  content.length < 100_000 &&
  Boolean(tryRead(() => valuesOf(readBer(content), attributes.messageDigest))?.length)

/** The possible signed bytes: the content, or the signed attributes as a SET, as received and in DER. */
export function signedBytesOf({ signedAttributes }: SignerInfo, { bytes }: SignedContent): Uint8Array<ArrayBuffer>[] {
  return signedAttributes ? encodingsOf(signedAttributes) : [bytes()]
}

/** Some software signs attributes that are not sorted; other software signs them sorted and sends them in another order. */
function encodingsOf(list: Element): Uint8Array<ArrayBuffer>[] {
  const der = derSetOf(list)
  if (list.isIndefinite) return [der]
  const asGiven = list.raw.slice()
  asGiven[0] = 0x31
  return equal(asGiven, der) ? [der] : [asGiven, der]
}
