// Resolves namespace prefixes while reader.ts parses an XML document.
import { malformed } from '../parse-errors.ts'
import { PrefixBindings } from './prefix-bindings.ts'
import type { Tag } from './start-tag.ts'
import { type XmlAttribute, type XmlElement, xmlNamespace } from './tree.ts'

const none: ReadonlyMap<string, string> = new Map()
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

/** Turns start tags into elements whose names and attributes have their namespaces. */
export class NamespaceResolver {
  readonly #bindings = new PrefixBindings()

  constructor() {
    this.#bindings.enter([['xml', xmlNamespace]])
  }

  /** Makes an element from its start tag. Its namespace declarations stay in scope until `leave` is called with the element. */
  enter({ name, attributes }: Tag, parent: XmlElement | undefined): XmlElement {
    const declared = declarationsIn(attributes)
    this.#bindings.enter(declared)
    const [prefix, local] = split(name)
    const uri = prefix ? this.#uriOf(prefix) : this.#bindings.of('')
    const own = this.#attributesOf(attributes)
    return { kind: 'element', name, prefix, local, uri, attributes: own, declared, children: [], parent }
  }

  leave = ({ declared }: XmlElement): void => this.#bindings.leave(declared)

  #attributesOf(attributes: [string, string][]): XmlAttribute[] {
    const own: XmlAttribute[] = []
    for (const [name, value] of attributes) {
      if (isDeclaration(name)) continue
      const [prefix, local] = split(name)
      own.push({ name, prefix, local, uri: prefix ? this.#uriOf(prefix) : '', value })
    }
    if (own.length > 1 && new Set(own.map(({ uri, local }) => `${uri} ${local}`)).size < own.length) {
      throw malformed('The XML has an element with the same attribute twice')
    }
    return own
  }

  #uriOf(prefix: string): string {
    const uri = this.#bindings.of(prefix)
    if (!uri) throw malformed('The XML has a namespace prefix that is not declared')
    return uri
  }
}

function split(name: string): [prefix: string, local: string] {
  const colon = name.indexOf(':')
  return colon < 0 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)]
}

const isDeclaration = (name: string) => name === 'xmlns' || name.startsWith('xmlns:')

function declarationsIn(attributes: [string, string][]): ReadonlyMap<string, string> {
  if (!attributes.some(([name]) => isDeclaration(name))) return none
  const declared = new Map<string, string>()
  for (const [name, uri] of attributes) {
    if (!isDeclaration(name)) continue
    const prefix = name.slice(6)
    if (declared.has(prefix)) throw malformed('The XML has an element that declares a prefix twice')
    if (!isAllowedBinding(prefix, uri)) throw malformed('The XML binds a reserved namespace or prefix')
    declared.set(prefix, uri)
  }
  // The prefix `xml` is bound in every document, so that canonicalization writes no declaration of it.
  declared.delete('xml')
  return declared
}

/** Whether a namespace may be bound to a prefix: the names `xml` and `xmlns` are reserved (Namespaces in XML 1.0, section 3). */
function isAllowedBinding(prefix: string, uri: string): boolean {
  if (prefix === 'xmlns' || uri === xmlnsNamespace) return false
  if ((prefix === 'xml') !== (uri === xmlNamespace)) return false
  return prefix === '' || uri !== ''
}
