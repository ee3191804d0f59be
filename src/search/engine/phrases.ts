// Finds the documents that have the phrases of a query, by the positions of their words.
import { ByteReader } from './bytes.ts'
import type { PostingEntry } from './postings.ts'
import { postingsOf } from './scratch-buffers.ts'
import type { Segment } from './segment.ts'

/** Position of the first word of the text. It is greater than any position in a title, so that no phrase spans title and text. */
const textOffset = 2 ** 24

/**
 * Sets the mark of each document that has all phrases to the number of phrases. The returned function sets the marks back to 0. A
 * document has a phrase if its words occur one directly after the other, in the title or in the text.
 */
export function markPhrases(segment: Segment, phrases: readonly Uint8Array[][], marks: Uint16Array): () => void {
  const matches = documentsWithPhrases(segment, phrases)
  for (const document of matches) marks[document] = phrases.length
  return () => {
    for (const document of matches) marks[document] = 0
  }
}

/** Returns the documents that have all phrases, in order. */
export function documentsWithPhrases(segment: Segment, phrases: readonly Uint8Array[][]): Uint32Array {
  const terms = phrases.map((phrase) => termsOf(segment, phrase))
  if (terms.flat().some(({ entry }) => entry.count === 0)) return new Uint32Array(0)
  const words = rarestFirst([...new Map(terms.flat().map((word) => [word.entry.offset, word])).values()])
  // Intersects the documents of all words first. Few documents are left for the check of positions, which is expensive.
  const all = words.reduce<Uint32Array | undefined>((some, word) => withWord(segment, word, some), undefined)
  return terms.reduce<Uint32Array>((left, phrase) => withPhrase(segment, phrase, left), all ?? new Uint32Array(0))
}

/** Returns the documents that have all words, in any order. */
export function documentsWithAll(segment: Segment, words: readonly Uint8Array[]): Uint32Array {
  const terms = rarestFirst(termsOf(segment, words))
  const all = terms.reduce<Uint32Array | undefined>((some, word) => withWord(segment, word, some), undefined)
  return all ?? new Uint32Array(0)
}

/** A word of a phrase, and its distance from the beginning of the phrase. */
interface PhraseTerm {
  entry: PostingEntry
  offset: number
}

const emptyEntry: PostingEntry = { count: 0, change: 0, offset: 0, length: 0, positionsLength: 0, last: 0 }

const termsOf = (segment: Segment, phrase: readonly Uint8Array[]): PhraseTerm[] =>
  phrase.map((term, offset) => ({ entry: segment.find(term) ?? emptyEntry, offset }))

const rarestFirst = (words: PhraseTerm[]) => words.sort((one, other) => one.entry.count - other.entry.count)

/** Returns the documents that have a word, in order. If `some` is given, only documents in `some` are returned. */
function withWord(segment: Segment, { entry }: PhraseTerm, some: Uint32Array | undefined): Uint32Array {
  const { documents, count } = postingsOf(segment, entry)
  if (!some) return documents.slice(0, count)
  let kept = 0
  for (let i = 0, at = 0; i < some.length; i++) {
    while (at < count && documents[at]! < some[i]!) at++
    if (at < count && documents[at] === some[i]) some[kept++] = some[i]!
  }
  return some.subarray(0, kept)
}

/** Returns those of `documents` that have a phrase, in order. */
function withPhrase(segment: Segment, words: PhraseTerm[], documents: Uint32Array): Uint32Array {
  const all: Candidates = { documents, starts: undefined }
  return rarestFirst(words).reduce((left, word) => intersectPositions(segment, word, left), all).documents
}

/**
 * Documents that may have a phrase. For each document, the ascending positions at which the phrase may begin, by the words that
 * were checked so far.
 */
interface Candidates {
  documents: Uint32Array
  starts: number[][] | undefined
}

function intersectPositions(
  segment: Segment,
  { entry, offset }: PhraseTerm,
  { documents: some, starts }: Candidates,
): Candidates {
  const { documents, titles, texts } = postingsOf(segment, entry)
  const reader = new ByteReader(segment.read(entry.offset + entry.length, entry.positionsLength))
  const kept = new Uint32Array(some.length)
  const keptStarts: number[][] = []
  for (let i = 0, at = 0, passed = 0; i < some.length; i++, at++) {
    for (; documents[at] !== some[i]; at++) passed += titles[at]! + texts[at]!
    reader.skip(passed)
    passed = 0
    const here: number[] = []
    readPositions(reader, titles[at]!, -offset, here)
    readPositions(reader, texts[at]!, textOffset - offset, here)
    const both = starts ? intersection(starts[i]!, here) : here
    if (both.length === 0) continue
    kept[keptStarts.length] = some[i]!
    keptStarts.push(both)
  }
  return { documents: kept.subarray(0, keptStarts.length), starts: keptStarts }
}

function readPositions(reader: ByteReader, count: number, shift: number, into: number[]) {
  let next = shift
  for (let i = 0; i < count; i++) {
    next += reader.number()
    into.push(next++)
  }
}

/** Intersects two ascending lists in linear time, since a word may occur thousands of times in a document. */
function intersection(one: readonly number[], other: readonly number[]): number[] {
  const both: number[] = []
  for (let i = 0, at = 0; i < one.length; i++) {
    while (at < other.length && other[at]! < one[i]!) at++
    if (other[at] === one[i]) both.push(one[i]!)
  }
  return both
}
