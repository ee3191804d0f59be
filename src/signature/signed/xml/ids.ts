import { elementsIn, type XmlAttribute, type XmlDocument, type XmlElement, xmlNamespace } from './tree.ts'

const security = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'

/** Without a document type nothing says which attributes are identifiers: those that signatures use are. */
const isId = ({ uri, local }: XmlAttribute) =>
  (uri === '' && (local === 'Id' || local === 'ID' || local === 'id')) ||
  (uri === xmlNamespace && local === 'id') ||
  (uri === security && local === 'Id')

/** The elements of a document by their identifiers: two have the same where a signature could be of either. */
export function idsIn({ root }: XmlDocument): Map<string, XmlElement[]> {
  const ids = new Map<string, XmlElement[]>()
  for (const element of elementsIn(root)) {
    for (const id of new Set(element.attributes.filter(isId).map(({ value }) => value))) {
      const others = ids.get(id)
      if (others) others.push(element)
      else ids.set(id, [element])
    }
  }
  return ids
}
