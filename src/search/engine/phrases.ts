import { Reader } from './bytes.ts'
import type { PostingEntry } from './postings.ts'
import { postingsOf } from './scratch.ts'
import type { Segment } from './segment.ts'

/** Past all positions of a title: no text ends there that a phrase could go on from. */
const textBegins = 2 ** 24

/**
 * Marks each document that has all the phrases with their number; what it returns sets that back to 0.
 * A document has a phrase when its words stand in the title, or in the text, one right after the other.
 */
export function markPhrases(segment: Segment, phrases: readonly Uint8Array[][], marks: Uint16Array): () => void {
  const having = documentsWith(segment, phrases)
  for (const document of having) marks[document] = phrases.length
  return () => {
    for (const document of having) marks[document] = 0
  }
}

/** The documents that have all the phrases; in order. */
export function documentsWith(segment: Segment, phrases: readonly Uint8Array[][]): Uint32Array {
  const sought = phrases.map((phrase) => wordsOf(segment, phrase))
  if (sought.flat().some(({ entry }) => entry.count === 0)) return new Uint32Array(0)
  const words = rarestFirst([...new Map(sought.flat().map((word) => [word.entry.offset, word])).values()])
  // Few documents are left when it comes to where in them the words stand, and fewer after each phrase.
  const all = words.reduce<Uint32Array | undefined>((some, word) => withWord(segment, word, some), undefined)
  return sought.reduce<Uint32Array>((left, phrase) => withPhrase(segment, phrase, left), all ?? new Uint32Array(0))
}

/** The documents that have all the words, in any order. */
export function documentsWithAll(segment: Segment, words: readonly Uint8Array[]): Uint32Array {
  const sought = rarestFirst(wordsOf(segment, words))
  const all = sought.reduce<Uint32Array | undefined>((some, word) => withWord(segment, word, some), undefined)
  return all ?? new Uint32Array(0)
}

/** A word of a phrase, and how many words of it stand before. */
interface Sought {
  entry: PostingEntry
  offset: number
}

const none: PostingEntry = { count: 0, change: 0, offset: 0, length: 0, positionsLength: 0, last: 0 }

const wordsOf = (segment: Segment, phrase: readonly Uint8Array[]): Sought[] =>
  phrase.map((term, offset) => ({ entry: segment.find(term) ?? none, offset }))

const rarestFirst = (words: Sought[]) => words.sort((one, other) => one.entry.count - other.entry.count)

/** The documents that have a word, of all or of some; in order. */
function withWord(segment: Segment, { entry }: Sought, some: Uint32Array | undefined): Uint32Array {
  const { documents, count } = postingsOf(segment, entry)
  if (!some) return documents.slice(0, count)
  let kept = 0
  for (let i = 0, at = 0; i < some.length; i++) {
    while (at < count && documents[at]! < some[i]!) at++
    if (at < count && documents[at] === some[i]) some[kept++] = some[i]!
  }
  return some.subarray(0, kept)
}

/** Those of some documents that have a phrase; in order. */
function withPhrase(segment: Segment, words: Sought[], documents: Uint32Array): Uint32Array {
  const all: Candidates = { documents, starts: undefined }
  return rarestFirst(words).reduce((left, word) => narrowed(segment, word, left), all).documents
}

/** Documents, and where in each of them a phrase may begin by those of its words that were looked at; ascending. */
interface Candidates {
  documents: Uint32Array
  starts: number[][] | undefined
}

function narrowed(segment: Segment, { entry, offset }: Sought, { documents: some, starts }: Candidates): Candidates {
  const { documents, titles, texts } = postingsOf(segment, entry)
  const reader = new Reader(segment.read(entry.offset + entry.length, entry.positionsLength))
  const kept = new Uint32Array(some.length)
  const keptStarts: number[][] = []
  for (let i = 0, at = 0, passed = 0; i < some.length; i++, at++) {
    for (; documents[at] !== some[i]; at++) passed += titles[at]! + texts[at]!
    reader.skip(passed)
    passed = 0
    const here: number[] = []
    readPositions(reader, titles[at]!, -offset, here)
    readPositions(reader, texts[at]!, textBegins - offset, here)
    const both = starts ? inBoth(starts[i]!, here) : here
    if (both.length === 0) continue
    kept[keptStarts.length] = some[i]!
    keptStarts.push(both)
  }
  return { documents: kept.subarray(0, keptStarts.length), starts: keptStarts }
}

function readPositions(reader: Reader, count: number, shift: number, into: number[]) {
  let next = shift
  for (let i = 0; i < count; i++) {
    next += reader.number()
    into.push(next++)
  }
}

/** In one pass: a word may stand in a document as often as this is long. */
function inBoth(one: readonly number[], other: readonly number[]): number[] {
  const both: number[] = []
  for (let i = 0, at = 0; i < one.length; i++) {
    while (at < other.length && other[at]! < one[i]!) at++
    if (other[at] === one[i]) both.push(one[i]!)
  }
  return both
}
