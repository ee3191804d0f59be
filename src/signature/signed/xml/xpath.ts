// Recognises three common XPath expressions, by which signing software excludes signatures from the signed data. It is no XPath
// engine.
import { uriOf } from './algorithms.ts'
import { attributeOf, childrenOf, textIn, type XmlElement } from './tree.ts'
import { ds } from './uris.ts'

const xpath1 = 'http://www.w3.org/TR/1999/REC-xpath-19991116'
const xpath2 = 'http://www.w3.org/2002/06/xmldsig-filter2'

const isSignature = ({ uri, local }: XmlElement) => uri === ds && local === 'Signature'
const isSignatureInRoot = (element: XmlElement) =>
  isSignature(element) && element.parent !== undefined && element.parent.parent === undefined

const prefix = '([\\w.-]+):Signature'

/** The supported expressions, each with the transform in which it occurs: XPath (XMLDSig, section 6.6.3) or XPath Filter 2.0. */
const expressions: [transform: string, expression: RegExp, isExcluded: (element: XmlElement) => boolean][] = [
  [xpath1, new RegExp(`^not\\(\\s*ancestor-or-self\\s*::\\s*${prefix}\\s*\\)$`), isSignature],
  [xpath2, new RegExp(`^/descendant\\s*::\\s*${prefix}$`), isSignature],
  [xpath2, new RegExp(`^/\\*/${prefix}$`), isSignatureInRoot],
]

/**
 * Returns a predicate for the elements that an XPath transform excludes with their content; undefined for any other expression or
 * transform. Three expressions are supported, with which signing software excludes signatures, so no XPath engine is needed.
 */
export function excludedBy(transform: XmlElement): ((element: XmlElement) => boolean) | undefined {
  const algorithm = uriOf(transform)
  if (algorithm !== xpath1 && algorithm !== xpath2) return undefined
  const [xpath, ...others] = childrenOf(transform, algorithm === xpath1 ? ds : xpath2, 'XPath')
  if (!xpath || others.length > 0) return undefined
  if (algorithm === xpath2 && attributeOf(xpath, 'Filter') !== 'subtract') return undefined
  if (xpath.children.some(({ kind }) => kind === 'element')) return undefined
  const text = textIn(xpath).trim()
  for (const [of, expression, isExcluded] of expressions) {
    const name = of === algorithm ? expression.exec(text)?.[1] : undefined
    if (name !== undefined) return namespaceOf(xpath, name) === ds ? isExcluded : undefined
  }
  return undefined
}

function namespaceOf(element: XmlElement, name: string): string | undefined {
  for (let at: XmlElement | undefined = element; at; at = at.parent) {
    const uri = at.declared.get(name)
    if (uri !== undefined) return uri
  }
  return undefined
}
