// Canonicalizes XML (C14N): writes a document or a part of it in the one form of which digests and signatures are computed.
import { PrefixBindings } from './prefix-bindings.ts'
import { type XmlAttribute, type XmlDocument, type XmlElement, type XmlNode, xmlNamespace } from './tree.ts'

/** A canonicalization method. */
export interface C14nMethod {
  /**
   * Version of the method. Canonical XML 1.0 and 1.1 copy the namespaces of ancestors; Exclusive XML Canonicalization 1.0 does not.
   */
  kind: '1.0' | '1.1' | 'exclusive'
  /**
   * Prefixes in PrefixList, which exclusive canonicalization treats as inclusive canonicalization does. '' is the default
   * namespace.
   */
  inclusive: readonly string[]
  withComments: boolean
}

/**
 * Remaining work that the canonicalization of a document may take, against crafted documents. One unit is one UTF-16 code unit of
 * output; other work is counted in equivalent units.
 */
export interface Budget {
  units: number
}

// Costs in budget units. The apex also costs units for each of its ancestors, whose declarations and attributes it inherits.
const unitsPerElement = 50
const unitsPerDeclaration = 25
const unitsPerAncestor = 10

/** A part of a document: the apex, which is the document or an element, without the excluded elements and their content. */
export interface Subset {
  apex: XmlDocument | XmlElement
  isExcluded?: ((element: XmlElement) => boolean) | undefined
}

/** Whether a subset has no elements, because its apex or an ancestor of the apex is excluded. */
export function isEmpty({ apex, isExcluded }: Subset): boolean {
  if (!isExcluded) return false
  const element = 'root' in apex ? apex.root : apex
  return isExcluded(element) || ancestorsOf(element).some(isExcluded)
}

/**
 * Writes the canonical form of a subset: Canonical XML 1.0 or 1.1, or Exclusive XML Canonicalization 1.0. In version 1.1,
 * `xml:base` attributes of ancestors are not joined, so callers must check `inheritsXmlBase` first. Deducts the work from `budget`.
 */
export function canonicalize(subset: Subset, how: C14nMethod, budget: Budget = { units: Infinity }): string {
  const { apex } = subset
  const writer = new Writer(how, isEmpty(subset) ? () => true : subset.isExcluded)
  if ('root' in apex) writer.document(apex)
  else writer.apex(apex)
  const text = writer.text()
  budget.units -= text.length + writer.units
  return text
}

class Writer {
  readonly #how: C14nMethod
  readonly #isExclusive: boolean
  readonly #isExcluded: (element: XmlElement) => boolean
  readonly #parts: string[] = []
  units = 0
  /** Namespace bindings that are in scope in the source document. `#output` has those that the output has declared so far. */
  readonly #scope = new PrefixBindings()
  readonly #output = new PrefixBindings()

  constructor(how: C14nMethod, isExcluded: (element: XmlElement) => boolean = () => false) {
    this.#how = how
    this.#isExclusive = how.kind === 'exclusive'
    this.#isExcluded = isExcluded
  }

  text = () => this.#parts.join('')

  document({ before, root, after }: XmlDocument): void {
    for (const node of before) if (this.#isKept(node)) this.#parts.push(markupOf(node), '\n')
    this.apex(root)
    for (const node of after) if (this.#isKept(node)) this.#parts.push('\n', markupOf(node))
  }

  /**
   * Writes the apex with all namespaces in its scope; in inclusive canonicalization also with the `xml:` attributes of its
   * ancestors.
   */
  apex(element: XmlElement): void {
    if (this.#isExcluded(element)) return
    const ancestors = ancestorsOf(element)
    for (const { declared, attributes } of ancestors) {
      this.#scope.enter(declared)
      this.units += unitsPerAncestor * (1 + attributes.length) + unitsPerDeclaration * declared.size
    }
    this.#scope.enter(element.declared)
    const prefixes = this.#isExclusive ? [...usedPrefixes(element), ...this.#how.inclusive] : this.#scope.prefixes()
    this.#write(element, prefixes, [...element.attributes, ...inheritedAttributes(element, ancestors, this.#how.kind)])
  }

  #element(element: XmlElement): void {
    if (this.#isExcluded(element)) return
    this.#scope.enter(element.declared)
    const declared = [...element.declared.keys()]
    const prefixes = this.#isExclusive ? [...usedPrefixes(element), ...declared.filter(this.#isInclusive)] : declared
    this.#write(element, prefixes, element.attributes)
    this.#scope.leave(element.declared)
  }

  #write({ name, children, declared: own }: XmlElement, prefixes: Iterable<string>, attributes: XmlAttribute[]): void {
    this.units += unitsPerElement + unitsPerDeclaration * own.size
    const declared = this.#newDeclarations(prefixes)
    this.#output.enter(declared)
    this.#parts.push(
      '<',
      name,
      ...declared.map(declarationMarkup),
      ...attributes.toSorted(byName).map(attributeMarkup),
      '>',
    )
    for (const child of children) this.#node(child)
    this.#parts.push('</', name, '>')
    this.#output.leave(declared)
  }

  #node(node: XmlNode): void {
    if (node.kind === 'element') this.#element(node)
    else if (node.kind === 'text') this.#parts.push(escapedText(node.text))
    else if (this.#isKept(node)) this.#parts.push(markupOf(node))
  }

  #isKept = (node: XmlNode) => node.kind !== 'comment' || this.#how.withComments

  /** Returns the prefixes whose binding in the source differs from that in the output: these must be declared. */
  #newDeclarations = (prefixes: Iterable<string>): [string, string][] =>
    [...new Set(prefixes)]
      .filter((prefix) => prefix !== 'xml' && this.#scope.of(prefix) !== this.#output.of(prefix))
      .sort(compare)
      .map((prefix) => [prefix, this.#scope.of(prefix)])

  #isInclusive = (prefix: string) => this.#how.inclusive.includes(prefix)
}

/** Returns the prefixes that an element and its attributes use. */
const usedPrefixes = ({ prefix, attributes }: XmlElement): string[] => [
  prefix,
  ...attributes.flatMap((attribute) => attribute.prefix || []),
]

/** Returns the ancestors of an element, the root first. */
function ancestorsOf({ parent }: XmlElement): XmlElement[] {
  const ancestors: XmlElement[] = []
  for (let next = parent; next; next = next.parent) ancestors.unshift(next)
  return ancestors
}

/** Returns the `xml:` attributes of ancestors that the apex inherits in inclusive canonicalization. */
function inheritedAttributes(
  { attributes: own }: XmlElement,
  ancestors: XmlElement[],
  kind: C14nMethod['kind'],
): XmlAttribute[] {
  if (kind === 'exclusive') return []
  const isInherited = ({ uri, local }: XmlAttribute) =>
    uri === xmlNamespace && (kind === '1.0' || local === 'lang' || local === 'space')
  const nearest = new Map(
    ancestors.flatMap(({ attributes }) => attributes.filter(isInherited).map((it) => [it.local, it])),
  )
  for (const { uri, local } of own) if (uri === xmlNamespace) nearest.delete(local)
  return [...nearest.values()]
}

/** Whether an ancestor of an element has `xml:base`. Canonical XML 1.1 would have to join the values, which is not supported. */
export const inheritsXmlBase = (element: XmlElement) =>
  ancestorsOf(element).some(({ attributes }) =>
    attributes.some(({ uri, local }) => uri === xmlNamespace && local === 'base'),
  )

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const byName = (a: XmlAttribute, b: XmlAttribute) => compare(a.uri, b.uri) || compare(a.local, b.local)

const declarationMarkup = ([prefix, uri]: [string, string]) =>
  prefix ? ` xmlns:${prefix}="${escapedValue(uri)}"` : ` xmlns="${escapedValue(uri)}"`

const attributeMarkup = ({ name, value }: XmlAttribute) => ` ${name}="${escapedValue(value)}"`

function markupOf(node: XmlNode): string {
  if (node.kind === 'comment') return `<!--${node.text}-->`
  if (node.kind !== 'instruction') return ''
  return node.data ? `<?${node.target} ${node.data}?>` : `<?${node.target}?>`
}

const inText: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const escapedText = (text: string) => (/[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (it) => inText[it]!) : text)

const inValue: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '"': '&quot;' },
  ...{ '\t': '&#x9;', '\n': '&#xA;', '\r': '&#xD;' },
}
const escapedValue = (text: string) =>
  /[&<"\t\n\r]/.test(text) ? text.replace(/[&<"\t\n\r]/g, (it) => inValue[it]!) : text
