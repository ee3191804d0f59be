// The tree into which reader.ts parses XML, and functions that search it.

/**
 * An XML document as a tree. It keeps the details that canonicalization needs, such as prefixes. CDATA sections and entity
 * references have become text.
 */
export interface XmlDocument {
  root: XmlElement
  /** Processing instructions and comments before and after the root. */
  before: (XmlInstruction | XmlComment)[]
  after: (XmlInstruction | XmlComment)[]
}

export interface XmlElement {
  kind: 'element'
  /** Qualified name of the element, with the prefix. */
  name: string
  prefix: string
  local: string
  uri: string
  attributes: XmlAttribute[]
  /** Namespace declarations of this element, by prefix. '' is the default namespace. */
  declared: ReadonlyMap<string, string>
  children: XmlNode[]
  parent: XmlElement | undefined
}

export interface XmlAttribute {
  name: string
  prefix: string
  local: string
  uri: string
  value: string
}

interface XmlText {
  kind: 'text'
  text: string
}

export interface XmlComment {
  kind: 'comment'
  text: string
}

export interface XmlInstruction {
  kind: 'instruction'
  target: string
  data: string
}

export type XmlNode = XmlElement | XmlText | XmlComment | XmlInstruction

export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'

/** Yields an element and all its descendants in document order. */
export function* elementsIn(element: XmlElement): Generator<XmlElement> {
  const left = [element]
  for (let next = left.pop(); next; next = left.pop()) {
    yield next
    for (let i = next.children.length - 1; i >= 0; i--) {
      const child = next.children[i]!
      if (child.kind === 'element') left.push(child)
    }
  }
}

/** Returns the child elements with a name. */
export const childrenOf = (element: XmlElement | undefined, uri: string, local: string): XmlElement[] =>
  element?.children.filter(
    (child): child is XmlElement => child.kind === 'element' && child.uri === uri && child.local === local,
  ) ?? []

/** Returns the first child element with a name; undefined if there is none. */
export const childOf = (element: XmlElement | undefined, uri: string, local: string): XmlElement | undefined =>
  childrenOf(element, uri, local)[0]

/** Returns the value of an attribute without a prefix; undefined if the element or the attribute is missing. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes.find((attribute) => attribute.name === name)?.value

/** Returns the text of an element and its descendants. */
export function textIn(element: XmlElement | undefined): string {
  if (!element) return ''
  const parts: string[] = []
  for (const { children } of elementsIn(element)) {
    for (const child of children) if (child.kind === 'text') parts.push(child.text)
  }
  return parts.join('')
}
