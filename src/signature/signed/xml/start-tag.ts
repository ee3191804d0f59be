// Parses start tags of elements, for the XML parser in reader.ts.
import { malformed } from '../parse-errors.ts'
import { qName } from './name-patterns.ts'
import { attributeValue } from './text.ts'

/** A parsed start tag or empty-element tag. */
export interface Tag {
  name: string
  /** Names and values of the attributes in document order. Namespace declarations are included. */
  attributes: [string, string][]
  isEmpty: boolean
  /** Index in the text after the tag. */
  end: number
}

const opening = new RegExp(`<(${qName})`, 'uy')
const attribute = new RegExp(`[ \\t\\n]+(${qName})[ \\t\\n]*=[ \\t\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'uy')
const closing = /[ \t\n]*\/?>/y

const maxAttributes = 1_000

/** Parses the start tag or empty-element tag at `start`. Throws 400 if it is not well-formed. */
export function readTag(text: string, start: number): Tag {
  opening.lastIndex = start
  const [head, name] = opening.exec(text) ?? []
  if (!head || !name) throw malformed('The XML has a < that does not begin a tag')
  const attributes: [string, string][] = []
  let at = start + head.length
  for (;;) {
    // Most tags end here, so this cheap check saves a regular expression.
    if (text[at] === '>') return { name, attributes, isEmpty: false, end: at + 1 }
    closing.lastIndex = at
    if (closing.test(text))
      return { name, attributes, isEmpty: text[closing.lastIndex - 2] === '/', end: closing.lastIndex }
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (!found) throw malformed(`The XML has a tag that is not well-formed: <${name.slice(0, 50)}`)
    if (attributes.length === maxAttributes) {
      throw malformed(`The XML has an element with more than ${maxAttributes} attributes`)
    }
    attributes.push([found[1]!, attributeValue(found[2] ?? found[3] ?? '')])
    at = attribute.lastIndex
  }
}
