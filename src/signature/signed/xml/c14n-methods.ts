// Reads the canonicalization methods (C14N) of XML signatures by their URIs. c14n-writer.ts carries them out.
import { uriOf } from './algorithms.ts'
import type { C14nMethod } from './c14n-writer.ts'
import { attributeOf, childOf, type XmlElement } from './tree.ts'

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

const kinds: Record<string, Pick<C14nMethod, 'kind' | 'withComments'>> = {
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315': { kind: '1.0', withComments: false },
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315#WithComments': { kind: '1.0', withComments: true },
  'http://www.w3.org/2006/12/xml-c14n11': { kind: '1.1', withComments: false },
  'http://www.w3.org/2006/12/xml-c14n11#WithComments': { kind: '1.1', withComments: true },
  [exclusive]: { kind: 'exclusive', withComments: false },
  [`${exclusive}WithComments`]: { kind: 'exclusive', withComments: true },
}

/** The default method: Canonical XML 1.0 without comments (XMLDSig, section 4.4.3.2). */
export const defaultC14n: C14nMethod = { kind: '1.0', withComments: false, inclusive: [] }

const maxInclusivePrefixes = 50

/** Returns the method of a CanonicalizationMethod or Transform element; undefined if it is not supported. */
export function c14nMethodOf(method: XmlElement | undefined): C14nMethod | undefined {
  const kind = kinds[uriOf(method)]
  if (!kind) return undefined
  const list = attributeOf(childOf(method, exclusive, 'InclusiveNamespaces'), 'PrefixList') ?? ''
  const prefixes = list.split(/[ \t\n\r]+/).filter(Boolean)
  if (prefixes.length > maxInclusivePrefixes) return undefined
  return { ...kind, inclusive: prefixes.map((prefix) => (prefix === '#default' ? '' : prefix)) }
}
