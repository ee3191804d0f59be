import { Reader, Writer } from './bytes.ts'
import type { Cursor } from './dictionary.ts'
import { type Facts, factsFor } from './facts.ts'
import { type Entry, PostingsWriter, readEntry, readPostings, roomFor } from './postings.ts'
import type { Segment, SegmentWriter } from './segment.ts'

/** Writes several segments, of ascending rows, as one, without the documents that are dead. */
export function merge(segments: readonly Segment[], writer: SegmentWriter): Facts {
  const sources = numbered(segments)
  mergeTerms(sources, writer)
  mergeWords(sources, writer)
  return mergeFacts(sources)
}

/** A segment, and the number that each of its documents has in the merged one: -1 for the dead. */
interface Source {
  segment: Segment
  numbers: Int32Array
}

function numbered(segments: readonly Segment[]): Source[] {
  let next = 0
  return segments.map((segment) => ({
    segment,
    numbers: Int32Array.from(segment.dead, (isDead) => (isDead ? -1 : next++)),
  }))
}

interface Place {
  source: Source
  cursor: Cursor
}

/** Each key that any of the dictionaries has, in order, with those that have it. */
function* inStep(places: Place[]): Generator<Place[]> {
  let left = places.filter(({ cursor }) => cursor.next())
  while (left.length > 0) {
    const first = left.reduce((least, place) => (compare(place.cursor, least.cursor) < 0 ? place : least))
    const same = left.filter((place) => compare(place.cursor, first.cursor) === 0)
    yield same
    left = left.filter((place) => !same.includes(place) || place.cursor.next())
  }
}

const keyOf = ({ key, length }: Cursor) => key.subarray(0, length)

const compare = (one: Cursor, other: Cursor) => (one === other ? 0 : one.compare(keyOf(other)))

function mergeTerms(sources: readonly Source[], writer: SegmentWriter) {
  const postings = new PostingsWriter()
  const positions = new Writer(4096)
  for (const same of inStep(sources.map((source) => ({ source, cursor: source.segment.terms.all() })))) {
    postings.clear()
    positions.length = 0
    let change = 0
    for (const { source, cursor } of same) {
      const entry = readEntry(cursor.value())
      change += entry.change
      if (entry.count > 0) copy(source, entry, postings, positions)
    }
    writer.term(keyOf(same[0]!.cursor).slice(), postings.count, change, postings.out.view(), positions.view())
  }
}

let room = roomFor(1024)

function copy({ segment, numbers }: Source, entry: Entry, postings: PostingsWriter, positions: Writer) {
  const bytes = segment.read(entry.offset, entry.length + entry.positionsLength)
  if (room.documents.length < entry.count) room = roomFor(2 * entry.count)
  const { documents, titles, texts } = readPostings(bytes, entry.count, room)
  const hasPositions = entry.positionsLength > 0
  if (hasPositions && segment.deaths === 0) positions.bytes(bytes.subarray(entry.length))
  const reader = new Reader(bytes, entry.length)
  for (let i = 0; i < entry.count; i++) {
    const number = numbers[documents[i]!]!
    if (number >= 0) postings.add(number, titles[i]!, texts[i]!)
    if (!hasPositions || segment.deaths === 0) continue
    const from = reader.at
    reader.skip(titles[i]! + texts[i]!)
    if (number >= 0) positions.bytes(bytes.subarray(from, reader.at))
  }
}

function mergeWords(sources: readonly Source[], writer: SegmentWriter) {
  for (const same of inStep(sources.map((source) => ({ source, cursor: source.segment.words.all() })))) {
    let change = 0
    for (const { cursor } of same) change += cursor.value().signed()
    const [{ cursor }] = same as [Place]
    const value = new Reader(cursor.valueBytes)
    value.signed()
    writer.word(keyOf(cursor).slice(), change, value.bytes.subarray(value.at))
  }
}

function mergeFacts(sources: readonly Source[]): Facts {
  const facts = factsFor(sources.reduce((sum, { segment }) => sum + segment.dead.length - segment.deaths, 0))
  for (const { segment, numbers } of sources) {
    numbers.forEach((number, document) => {
      if (number < 0) return
      facts.rows[number] = segment.facts.rows[document]!
      facts.seqs[number] = segment.facts.seqs[document]!
      facts.lengths[number] = segment.facts.lengths[document]!
    })
  }
  return facts
}
