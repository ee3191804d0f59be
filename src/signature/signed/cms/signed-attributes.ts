import type { Hash } from '../algorithms.ts'
import { type Element, elementsOf, readBer, tags } from '../asn1/ber.ts'
import { derSetOf } from '../asn1/der.ts'
import { octetsOf, oidOf } from '../asn1/values.ts'
import { equal } from '../bytes.ts'
import { type CheckOutcome, valid, wrong } from '../check-outcome.ts'
import { readable } from '../parse-errors.ts'
import type { Covered } from './signed-content.ts'
import { attributes, type SignerInfo, valuesOf } from './signer-info.ts'

const data = '1.2.840.113549.1.7.1'

/** Whether what the attributes say of the content is so; without any, whether the content may do without. */
export async function checkAttributes(
  { signedAttributes }: SignerInfo,
  covered: Covered,
  hash: Hash,
): Promise<CheckOutcome> {
  if (!signedAttributes) return checkBareContent(covered)
  const [type, ...moreTypes] = valuesOf(signedAttributes, attributes.contentType)
  if (covered.type && (!type || moreTypes.length > 0 || readable(() => oidOf(type)) !== covered.type)) {
    return wrong('The signed attributes are of content of another type')
  }
  const [digest, ...moreDigests] = valuesOf(signedAttributes, attributes.messageDigest)
  if (digest?.tag !== tags.octetString || moreDigests.length > 0) {
    return wrong('The signed attributes must have one message digest')
  }
  const isSame = equal(octetsOf(digest), await covered.digest(hash))
  return isSame ? valid : wrong(`The ${covered.part} is not what was signed: its digest differs`)
}

/** Whether the algorithms are those that the signed attributes name, if they name any (RFC 6211). */
export function checkAlgorithms({ signedAttributes, digestAlgorithm, signatureAlgorithm }: SignerInfo): CheckOutcome {
  const [named, ...more] = valuesOf(signedAttributes, attributes.algorithmProtection)
  if (!named) return valid
  const [digest, ...others] = readable(() => elementsOf(named)) ?? []
  const signature = others.find(({ tag }) => tag === tags.context(1))
  const isSame =
    more.length === 0 && isSameAlgorithm(digest, digestAlgorithm) && isSameAlgorithm(signature, signatureAlgorithm)
  return isSame ? valid : wrong('The algorithms are not those that the signed attributes name')
}

/** Whether two AlgorithmIdentifiers are the same. Parameters that are NULL count as none, since both are in use. */
function isSameAlgorithm(one: Element | undefined, other: Element): boolean {
  const [parts, others] = [one, other].map((identifier) => {
    const elements = (identifier && readable(() => elementsOf(identifier))) ?? []
    return elements.filter(({ tag }) => tag !== nullTag).map(({ raw }) => raw.toHex())
  })
  return parts!.length > 0 && parts!.join() === others!.join()
}

const nullTag = 0x05

/**
 * Signed attributes that are passed off as content, with the signature over them, would verify (RFC 5652 has them
 * required for all content that is not plain data, which leaves plain data to look into).
 */
function checkBareContent({ type, bytes }: Covered): CheckOutcome {
  if (type !== undefined && type !== data) return wrong('Content that is not plain data must have signed attributes')
  return looksLikeAttributes(bytes()) ? wrong('The content is the signed attributes of another signature') : valid
}

const looksLikeAttributes = (content: Uint8Array<ArrayBuffer>) =>
  content[0] === 0x31 &&
  content.length < 100_000 &&
  Boolean(readable(() => valuesOf(readBer(content), attributes.messageDigest))?.length)

/** What the signature is over: the content, or the attributes as a SET, as they stand and in DER. */
export function signedBytesOf({ signedAttributes }: SignerInfo, { bytes }: Covered): Uint8Array<ArrayBuffer>[] {
  return signedAttributes ? encodingsOf(signedAttributes) : [bytes()]
}

/** Some sign what is not sorted as it stands, some send it in another order than the one that they have signed. */
function encodingsOf(list: Element): Uint8Array<ArrayBuffer>[] {
  const der = derSetOf(list)
  if (list.isIndefinite) return [der]
  const asGiven = list.raw.slice()
  asGiven[0] = 0x31
  return equal(asGiven, der) ? [der] : [asGiven, der]
}
