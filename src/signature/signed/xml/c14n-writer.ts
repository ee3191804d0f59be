import { Bindings } from './prefix-bindings.ts'
import { type XmlAttribute, type XmlDocument, type XmlElement, type XmlNode, xmlNamespace } from './tree.ts'

/** A way to write XML as the same bytes always. */
export interface Canonical {
  /** Canonical XML 1.0 or 1.1, which are inclusive, or Exclusive XML Canonicalization 1.0. */
  kind: '1.0' | '1.1' | 'exclusive'
  /** The namespaces that exclusive canonicalization treats as inclusive does; '' is the default one. */
  inclusive: readonly string[]
  withComments: boolean
}

/** How much may be written in all: a unit of UTF-16 is one; what else takes time is counted in the same units. */
export interface Budget {
  units: number
}

// What these take in time, in units. An apex pays for all elements around it, whose declarations and attributes it inherits.
const unitsPerElement = 50
const unitsPerDeclaration = 25
const unitsPerAncestor = 10

/** A part of a document: an element or all of it, less the elements that are left out, with all inside them. */
export interface Subset {
  apex: XmlDocument | XmlElement
  isLeftOut?: ((element: XmlElement) => boolean) | undefined
}

/** Whether nothing of a subset is left: its element, or one around it, is left out. */
export function isEmpty({ apex, isLeftOut }: Subset): boolean {
  if (!isLeftOut) return false
  const element = 'root' in apex ? apex.root : apex
  return isLeftOut(element) || ancestorsOf(element).some(isLeftOut)
}

/**
 * The canonical form of a document, or of an element with what is in scope of it, less the elements left out: Canonical
 * XML 1.0 or 1.1, or Exclusive XML Canonicalization 1.0. Of 1.1, `xml:base` of elements around is not carried over.
 */
export function canonical(subset: Subset, how: Canonical, budget: Budget = { units: Infinity }): string {
  const { apex } = subset
  const writer = new Writer(how, isEmpty(subset) ? () => true : subset.isLeftOut)
  if ('root' in apex) writer.document(apex)
  else writer.apex(apex)
  const text = writer.text()
  budget.units -= text.length + writer.units
  return text
}

class Writer {
  readonly #how: Canonical
  readonly #isExclusive: boolean
  readonly #isLeftOut: (element: XmlElement) => boolean
  readonly #parts: string[] = []
  units = 0
  /** What prefixes stand for here, and what they do in what has been written around. */
  readonly #scope = new Bindings()
  readonly #written = new Bindings()

  constructor(how: Canonical, isLeftOut: (element: XmlElement) => boolean = () => false) {
    this.#how = how
    this.#isExclusive = how.kind === 'exclusive'
    this.#isLeftOut = isLeftOut
  }

  text = () => this.#parts.join('')

  document({ before, root, after }: XmlDocument): void {
    for (const node of before) if (this.#isKept(node)) this.#parts.push(markupOf(node), '\n')
    this.apex(root)
    for (const node of after) if (this.#isKept(node)) this.#parts.push('\n', markupOf(node))
  }

  /** What is in scope of an element goes with it; so do, if not exclusive, the `xml:` attributes of those around it. */
  apex(element: XmlElement): void {
    if (this.#isLeftOut(element)) return
    const around = ancestorsOf(element)
    for (const { declared, attributes } of around) {
      this.#scope.enter(declared)
      this.units += unitsPerAncestor * (1 + attributes.length) + unitsPerDeclaration * declared.size
    }
    this.#scope.enter(element.declared)
    const prefixes = this.#isExclusive ? [...usedBy(element), ...this.#how.inclusive] : this.#scope.prefixes()
    this.#write(element, prefixes, [...element.attributes, ...inherited(element, around, this.#how.kind)])
  }

  #element(element: XmlElement): void {
    if (this.#isLeftOut(element)) return
    this.#scope.enter(element.declared)
    const declared = [...element.declared.keys()]
    const prefixes = this.#isExclusive ? [...usedBy(element), ...declared.filter(this.#isInclusive)] : declared
    this.#write(element, prefixes, element.attributes)
    this.#scope.leave(element.declared)
  }

  #write({ name, children, declared: own }: XmlElement, prefixes: Iterable<string>, attributes: XmlAttribute[]): void {
    this.units += unitsPerElement + unitsPerDeclaration * own.size
    const declared = this.#undeclared(prefixes)
    this.#written.enter(declared)
    this.#parts.push('<', name, ...declared.map(declaration), ...attributes.toSorted(byName).map(written), '>')
    for (const child of children) this.#node(child)
    this.#parts.push('</', name, '>')
    this.#written.leave(declared)
  }

  #node(node: XmlNode): void {
    if (node.kind === 'element') this.#element(node)
    else if (node.kind === 'text') this.#parts.push(escapedText(node.text))
    else if (this.#isKept(node)) this.#parts.push(markupOf(node))
  }

  #isKept = (node: XmlNode) => node.kind !== 'comment' || this.#how.withComments

  /** Those prefixes that stand for something else here than in what has been written around. */
  #undeclared = (prefixes: Iterable<string>): [string, string][] =>
    [...new Set(prefixes)]
      .filter((prefix) => prefix !== 'xml' && this.#scope.of(prefix) !== this.#written.of(prefix))
      .sort(compare)
      .map((prefix) => [prefix, this.#scope.of(prefix)])

  #isInclusive = (prefix: string) => this.#how.inclusive.includes(prefix)
}

/** The prefixes of an element and its attributes. */
const usedBy = ({ prefix, attributes }: XmlElement): string[] => [
  prefix,
  ...attributes.flatMap((attribute) => attribute.prefix || []),
]

/** From the root down. */
function ancestorsOf({ parent }: XmlElement): XmlElement[] {
  const ancestors: XmlElement[] = []
  for (let next = parent; next; next = next.parent) ancestors.unshift(next)
  return ancestors
}

/** Those `xml:` attributes of the elements around that an element is written with though it is without them. */
function inherited({ attributes: own }: XmlElement, around: XmlElement[], kind: Canonical['kind']): XmlAttribute[] {
  if (kind === 'exclusive') return []
  const isInherited = ({ uri, local }: XmlAttribute) =>
    uri === xmlNamespace && (kind === '1.0' || local === 'lang' || local === 'space')
  const nearest = new Map(
    around.flatMap(({ attributes }) => attributes.filter(isInherited).map((it) => [it.local, it])),
  )
  for (const { uri, local } of own) if (uri === xmlNamespace) nearest.delete(local)
  return [...nearest.values()]
}

/** Whether Canonical XML 1.1 would have to put together `xml:base` from several elements, which is not done here. */
export const hasBaseAround = (element: XmlElement) =>
  ancestorsOf(element).some(({ attributes }) =>
    attributes.some(({ uri, local }) => uri === xmlNamespace && local === 'base'),
  )

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const byName = (a: XmlAttribute, b: XmlAttribute) => compare(a.uri, b.uri) || compare(a.local, b.local)

const declaration = ([prefix, uri]: [string, string]) =>
  prefix ? ` xmlns:${prefix}="${escapedValue(uri)}"` : ` xmlns="${escapedValue(uri)}"`

const written = ({ name, value }: XmlAttribute) => ` ${name}="${escapedValue(value)}"`

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
