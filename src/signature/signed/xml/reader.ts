// The XML parser of the signature store. It is strict, and keeps all details that canonicalization needs.
import { malformed } from '../parse-errors.ts'
import { decodeXml } from './encoding.ts'
import { ncName, qName } from './name-patterns.ts'
import { NamespaceResolver } from './namespace-resolver.ts'
import { readTag } from './start-tag.ts'
import { normalizeLineEnds, refuseCharacters, resolveReferences } from './text.ts'
import type { XmlComment, XmlDocument, XmlElement, XmlInstruction, XmlNode } from './tree.ts'

const maxDepth = 200
const maxNodes = 100_000

/**
 * Parses XML 1.0 with namespaces, strictly. Throws 400 for XML that is not well-formed, has a document type declaration (and so for all
 * entities but the five predefined ones), is nested deeper than 200, or has more than 100 000 nodes and attributes.
 */
export function readXml(bytes: Uint8Array): XmlDocument {
  const text = normalizeLineEnds(decodeXml(bytes))
  refuseCharacters(text)
  refuseTags(text)
  return new Reader(text).document()
}

const tooManyNodes = `The XML has more than ${maxNodes} nodes`

/** Rejects a document with too many tags before it is parsed, which is cheap. An element has at most two tags. */
function refuseTags(text: string): void {
  let tags = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (++tags > 2 * maxNodes) throw malformed(tooManyNodes)
  }
}

const declaration =
  /^<\?xml[ \t\n]+version[ \t\n]*=[ \t\n]*(?:"1\.0"|'1\.0')(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*(?:"[\w.-]+"|'[\w.-]+'))?(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\n]*\?>/
const instruction = new RegExp(`<\\?(${ncName})(?:[ \\t\\n]+|(?=\\?>))`, 'uy')
const endTag = new RegExp(`</(${qName})[ \\t\\n]*>`, 'uy')
const space = /[ \t\n]*/y

class Reader {
  readonly #text: string
  readonly #namespaces = new NamespaceResolver()
  #at = 0
  #nodes = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): XmlDocument {
    if (/^<\?xml[ \t\n]/.test(this.#text)) this.#at = this.#declaration()
    const before = this.#misc()
    if (this.#at === this.#text.length) throw malformed('The XML has no element')
    const root = this.#element()
    const after = this.#misc()
    if (this.#at < this.#text.length) throw malformed('The XML has content after its root element')
    return { root, before, after }
  }

  #declaration(): number {
    const [whole] = declaration.exec(this.#text) ?? []
    if (!whole) throw malformed('The XML must be version 1.0, and its declaration well-formed')
    return whole.length
  }

  /** Parses the comments and processing instructions before or after the root. */
  #misc(): (XmlInstruction | XmlComment)[] {
    const nodes: (XmlInstruction | XmlComment)[] = []
    for (;;) {
      space.lastIndex = this.#at
      space.test(this.#text)
      this.#at = space.lastIndex
      if (this.#text.startsWith('<?', this.#at)) nodes.push(this.#instruction())
      else if (this.#text.startsWith('<!', this.#at)) nodes.push(this.#comment())
      else return nodes
    }
  }

  /** Parses an element with its content. Uses a list instead of recursion, so that deep nesting cannot overflow the call stack. */
  #element(): XmlElement {
    const root = this.#open(undefined)
    const open = root.isEmpty ? [] : [root.element]
    for (let inner = open.at(-1); inner; inner = open.at(-1)) {
      const child = this.#child(inner)
      if (!child) open.pop()
      else if (open.length + 1 > maxDepth) throw malformed(`The XML is nested deeper than ${maxDepth}`)
      else if (!child.isEmpty) open.push(child.element)
    }
    return root.element
  }

  /** Parses the content of `parent` until a child element begins, which is returned, or until `parent` ends. */
  #child(parent: XmlElement) {
    for (;;) {
      const next = this.#text.indexOf('<', this.#at)
      if (next < 0) throw malformed(`The XML ends before </${parent.name.slice(0, 50)}>`)
      if (next > this.#at) this.#add(parent, this.#plainText(next))
      this.#at = next
      const mark = this.#text[next + 1]
      if (mark === '/') return this.#close(parent)
      if (mark === '!') this.#add(parent, this.#text[next + 2] === '[' ? this.#cdata() : this.#comment())
      else if (mark === '?') this.#add(parent, this.#instruction())
      else return this.#open(parent)
    }
  }

  #add(parent: XmlElement, node: XmlNode): void {
    this.#count(1)
    parent.children.push(node)
  }

  #count(nodes: number): void {
    this.#nodes += nodes
    if (this.#nodes > maxNodes) throw malformed(tooManyNodes)
  }

  #plainText(end: number): XmlNode {
    const text = this.#text.slice(this.#at, end)
    if (text.includes(']]>')) throw malformed('The XML has ]]> in its text')
    return { kind: 'text', text: resolveReferences(text) }
  }

  #open(parent: XmlElement | undefined): { element: XmlElement; isEmpty: boolean } {
    if (this.#text[this.#at] !== '<') throw malformed('The XML has text outside of its root')
    const tag = readTag(this.#text, this.#at)
    this.#count(tag.attributes.length)
    const element = this.#namespaces.enter(tag, parent)
    this.#at = tag.end
    if (parent) this.#add(parent, element)
    if (tag.isEmpty) this.#namespaces.leave(element)
    return { element, isEmpty: tag.isEmpty }
  }

  #close(element: XmlElement): undefined {
    endTag.lastIndex = this.#at
    const [whole, name] = endTag.exec(this.#text) ?? []
    if (!whole || name !== element.name) {
      throw malformed(`The XML has another end tag where </${element.name.slice(0, 50)}> is required`)
    }
    this.#at += whole.length
    this.#namespaces.leave(element)
  }

  #cdata(): XmlNode {
    return { kind: 'text', text: this.#between('<![CDATA[', ']]>') }
  }

  #comment(): XmlComment {
    if (this.#text.startsWith('<!DOCTYPE', this.#at)) throw malformed('The XML must have no document type declaration')
    const text = this.#between('<!--', '-->')
    if (text.includes('--') || text.endsWith('-')) throw malformed('The XML has -- in a comment')
    return { kind: 'comment', text }
  }

  #instruction(): XmlInstruction {
    instruction.lastIndex = this.#at
    const [head, target = ''] = instruction.exec(this.#text) ?? []
    if (!head) throw malformed('The XML has a processing instruction that is not well-formed')
    if (target.toLowerCase() === 'xml') throw malformed('The XML declaration must be at the very beginning')
    return { kind: 'instruction', target, data: this.#between(head, '?>') }
  }

  /** Returns the text between `start` and `end`, and moves the position after `end`. */
  #between(start: string, end: string): string {
    const from = this.#at + start.length
    const to = this.#text.startsWith(start, this.#at) ? this.#text.indexOf(end, from) : -1
    if (to < 0) throw malformed('The XML has markup that is not well-formed')
    this.#at = to + end.length
    return this.#text.slice(from, to)
  }
}
