import { Reader } from './bytes.ts'
import type { Entry } from './postings.ts'
import { postingsOf } from './scratch.ts'
import type { Segment } from './segment.ts'

/** Past all positions of a title: no text ends there that a phrase could go on from. */
const textBegins = 2 ** 24

/**
 * Counts for each document how many of the phrases it has; what it returns sets that back to 0.
 * A document has a phrase when its words stand in the title, or in the text, one right after the other.
 */
export function markPhrases(segment: Segment, phrases: readonly Uint8Array[][], marks: Uint16Array): () => void {
  const having = phrases.map((phrase) => documentsWith(segment, phrase))
  for (const documents of having) for (const document of documents) marks[document]!++
  return () => {
    for (const documents of having) for (const document of documents) marks[document] = 0
  }
}

function documentsWith(segment: Segment, phrase: readonly Uint8Array[]): number[] {
  const words: Sought[] = []
  for (const [offset, term] of phrase.entries()) {
    const entry = segment.find(term)
    if (!entry || entry.count === 0) return []
    words.push({ entry, offset })
  }
  // From the rarest on, so that few documents are left when the frequent ones are read.
  words.sort((one, other) => one.entry.count - other.entry.count)
  const candidates = words.reduce<Uint32Array | undefined>((left, word) => withWord(segment, word, left), undefined)!
  let starts: number[][] | undefined
  for (const word of words) starts = startsOf(segment, word, candidates, starts)
  return Array.from(candidates).filter((_, i) => starts![i]!.length > 0)
}

/** A word of a phrase, and how many words of it stand before. */
interface Sought {
  entry: Entry
  offset: number
}

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

/** Where the phrase may begin in each of these documents, by this word of it and by those that were looked at before. */
function startsOf(
  segment: Segment,
  { entry, offset }: Sought,
  candidates: Uint32Array,
  before: number[][] | undefined,
) {
  const { documents, titles, texts } = postingsOf(segment, entry)
  const reader = new Reader(segment.read(entry.offset + entry.length, entry.positionsLength))
  let passed = 0
  let at = 0
  return Array.from(candidates, (document, i) => {
    for (; documents[at] !== document; at++) passed += titles[at]! + texts[at]!
    reader.skip(passed)
    passed = 0
    const title = positions(reader, titles[at]!, -offset)
    const here = [...title, ...positions(reader, texts[at]!, textBegins - offset)]
    at++
    return before ? here.filter((start) => before[i]!.includes(start)) : here
  })
}

function positions(reader: Reader, count: number, shift: number): number[] {
  const all: number[] = []
  let next = 0
  for (let i = 0; i < count; i++) {
    next += reader.number()
    all.push(next++ + shift)
  }
  return all
}
