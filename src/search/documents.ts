// Writes, reads, deletes and searches documents for the API, through the coordinator of their index.
import { encodeBatch } from './batch.ts'
import type { Env } from './bindings.ts'
import type { NewContent, Search } from './contract.ts'
import type { IndexedDocument, Variant } from './engine/indexed-document.ts'
import { failure } from './errors.ts'
import { coordinatorOf } from './indexes.ts'
import { highlighterOf } from './query-highlighter.ts'

/** Maximum size of title and text of a document together, in bytes of UTF-8. */
const maxDocumentBytes = 1_000_000

/**
 * Writes documents, and replaces those with the same codes. Of several with the same code, writes the last. Empties the array to
 * free memory. Throws `payload_too_large` if a document is too large, `index_not_found` if the index does not exist.
 */
export async function writeDocuments(env: Env, index: string, documents: NewContent[]): Promise<void> {
  const tooLarge = documents.flatMap((document, i) => (isTooLarge(document) ? `documents.${i}` : []))
  if (tooLarge.length > 0)
    throw failure(
      'payload_too_large',
      `Title and text of a document must have at most ${maxDocumentBytes} bytes of UTF-8 together.`,
      {
        errors: Object.fromEntries(tooLarge.slice(0, 100).map((name) => [name, 'Is too large'])),
      },
    )
  await coordinatorOf(env, index).writeDocuments(encodeBatch(documents))
}

/**
 * Whether a document is too large. Counts its bytes only if it may be: a UTF-16 unit takes at most 3 bytes, so most documents are
 * decided by their length.
 */
const isTooLarge = (document: NewContent) =>
  (document.text.length + (document.title?.length ?? 0)) * 3 > maxDocumentBytes && bytesOf(document) > maxDocumentBytes

/** Deletes a document. Throws `document_not_found` or `index_not_found`. */
export const deleteDocument = (env: Env, index: string, code: string): Promise<void> =>
  coordinatorOf(env, index).deleteDocument(code)

/** Finds a document by its code. Throws `document_not_found` or `index_not_found`. */
export const findDocument = async (env: Env, index: string, code: string) =>
  documentReply(await coordinatorOf(env, index).findDocument(code))

/** Searches documents. Returns a page of those that match, the best first. */
export async function searchDocuments(env: Env, variant: Variant, { index, highlight, score, ...query }: Search) {
  const found = await coordinatorOf(env, index).searchDocuments(query)
  const highlights = highlight ? highlightAll(found.documents, highlighterOf(variant, found)) : undefined
  const page = found.documents.slice(0, highlights?.length)
  const documents = page.map((document, i) => ({
    ...documentReply(document),
    ...(score && { score: document.score }),
    ...(highlights && { highlight: highlights[i] }),
  }))
  const isCut = found.isCut || page.length < found.documents.length
  return { documents, ...(query.count && { nb_results: found.total }), ...(isCut && { has_more: true as const }) }
}

/** Converts a document to the form of the API. A document without a title has no key `title`. */
const documentReply = ({ code, title, text }: IndexedDocument) => ({ code, ...(title !== null && { title }), text })

/**
 * Maximum length of all highlights of a page, in UTF-16 units. A limit is needed because marks and escapes can make a text nine
 * times as long.
 */
const maxHighlightLength = 8_000_000

/** Highlights the documents in order, until the total length reaches the maximum. The page then ends early. */
function highlightAll(documents: readonly IndexedDocument[], highlightText: (text: string) => string) {
  const all: ReturnType<typeof highlightDocument>[] = []
  for (let left = maxHighlightLength; left > 0 && all.length < documents.length; ) {
    const highlight = highlightDocument(documents[all.length]!, highlightText)
    left -= highlight.text.length + (highlight.title?.length ?? 0)
    all.push(highlight)
  }
  return all
}

const highlightDocument = ({ title, text }: IndexedDocument, highlightText: (text: string) => string) => ({
  ...(title !== null && { title: highlightText(title) }),
  text: highlightText(text),
})

/** Size of title and text in bytes of UTF-8. */
const bytesOf = ({ title, text }: { title?: string | null | undefined; text: string }) =>
  byteLength(text) + (title ? byteLength(title) : 0)

const encoder = new TextEncoder()

const byteLength = (text: string) => encoder.encode(text).length
