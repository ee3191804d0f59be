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
  const entries = phrase.map((term) => segment.find(term))
  if (!entries.every((entry) => entry !== undefined && entry.count > 0)) return []
  // From the rarest word on, so that few documents are left when the frequent ones are read.
  const order = (entries as Entry[]).map((entry, i) => ({ entry, i })).sort((a, b) => a.entry.count - b.entry.count)
  let starts: Map<number, number[]> | undefined
  for (const { entry, i } of order) starts = follow(segment, entry, i, starts)
  return starts ? [...starts.keys()] : []
}

/** Where the phrase may begin in each document, by this word of it and those that were looked at before. */
function follow(segment: Segment, entry: Entry, offset: number, before: Map<number, number[]> | undefined) {
  const starts = new Map<number, number[]>()
  const { documents, titles, texts } = postingsOf(segment, entry)
  const reader = new Reader(segment.read(entry.offset + entry.length, entry.positionsLength))
  for (let i = 0; i < entry.count; i++) {
    const known = before?.get(documents[i]!)
    if (before && !known) {
      reader.skip(titles[i]! + texts[i]!)
      continue
    }
    const here = [...positions(reader, titles[i]!, -offset), ...positions(reader, texts[i]!, textBegins - offset)]
    const left = known ? here.filter((start) => known.includes(start)) : here
    if (left.length > 0) starts.set(documents[i]!, left)
  }
  return starts
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
