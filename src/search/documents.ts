import type { Env } from './bindings.ts'
import type { NewContent, Search } from './contract.ts'
import type { IndexedDocument, Variant } from './engine/documents.ts'
import { failure } from './errors.ts'
import { headOf } from './indexes.ts'
import { markerOf } from './marks.ts'
import { pack } from './parcel.ts'

const largest = 1_000_000

/**
 * Writes documents in place of those of the same codes, of equal ones the last, and empties the array: 413 where one is too
 * large, 404 where there is no such index.
 */
export async function writeDocuments(env: Env, index: string, documents: NewContent[]): Promise<void> {
  const tooLarge = documents.flatMap((document, i) => (isTooLarge(document) ? `documents.${i}` : []))
  if (tooLarge.length > 0)
    throw failure('payload_too_large', `Title and text of a document have at most ${largest} bytes`, {
      errors: Object.fromEntries(tooLarge.slice(0, 100).map((name) => [name, 'Is too large'])),
    })
  await headOf(env, index).writeDocuments(pack(documents))
}

/** Bytes are counted only where they could be too many. */
const isTooLarge = (document: NewContent) =>
  (document.text.length + (document.title?.length ?? 0)) * 3 > largest && bytesOf(document) > largest

/** Deletes a document: 404 where there is none of this code, or no such index. */
export const deleteDocument = (env: Env, index: string, code: string): Promise<void> =>
  headOf(env, index).deleteDocument(code)

/** A document by its code: 404 where there is none, or no such index. */
export const findDocument = async (env: Env, index: string, code: string) =>
  shown(await headOf(env, index).findDocument(code))

/** A page of what matches, the best first, with what else is asked for. */
export async function searchDocuments(env: Env, variant: Variant, { index, highlight, score, ...asked }: Search) {
  const answer = await headOf(env, index).searchDocuments(asked)
  const highlights = highlight ? markAll(answer.documents, markerOf(variant, answer)) : undefined
  const page = answer.documents.slice(0, highlights?.length)
  const documents = page.map((document, i) => ({
    ...shown(document),
    ...(score && { score: document.score }),
    ...(highlights && { highlight: highlights[i] }),
  }))
  const isCut = answer.isCut || page.length < answer.documents.length
  return { documents, ...(asked.count && { nb_results: answer.total }), ...(isCut && { has_more: true as const }) }
}

/** A document without the title that it does not have. */
const shown = ({ code, title, text }: IndexedDocument) => ({ code, ...(title !== null && { title }), text })

/** What a page's marked texts have together: marks and escapes make a text up to nine times as long. */
const mostMarked = 8_000_000

/** The marked texts of as many of the first documents as have so much together, and of one more. */
function markAll(documents: readonly IndexedDocument[], mark: (text: string) => string) {
  const all: ReturnType<typeof marked>[] = []
  for (let left = mostMarked; left > 0 && all.length < documents.length; ) {
    const highlight = marked(documents[all.length]!, mark)
    left -= highlight.text.length + (highlight.title?.length ?? 0)
    all.push(highlight)
  }
  return all
}

const marked = ({ title, text }: IndexedDocument, mark: (text: string) => string) => ({
  ...(title !== null && { title: mark(title) }),
  text: mark(text),
})

/** UTF-8 bytes of a document's title and text together. */
const bytesOf = ({ title, text }: { title?: string | null | undefined; text: string }) =>
  bytesIn(text) + (title ? bytesIn(title) : 0)

const encoder = new TextEncoder()

const bytesIn = (text: string) => encoder.encode(text).length
