import { Reader, Writer } from './bytes.ts'
import type { Cursor } from './dictionary.ts'
import { type Facts, factsFor } from './facts.ts'
import { type PostingEntry, PostingsWriter, readEntry, readPostings, roomFor } from './postings.ts'
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

/** Goes through dictionaries in step: visits each key that any of them has, in order, with the numbers of those that have it. */
function inStep(cursors: readonly Cursor[], visit: (having: readonly number[]) => void) {
  let left = cursors.flatMap((cursor, i) => (cursor.next() ? i : []))
  const having: number[] = []
  while (left.length > 0) {
    having.length = 0
    for (const i of left) {
      const difference = having.length === 0 ? -1 : compare(cursors[i]!, cursors[having[0]!]!)
      if (difference < 0) having.length = 0
      if (difference <= 0) having.push(i)
    }
    visit(having)
    for (const i of having) if (!cursors[i]!.next()) left = left.filter((one) => one !== i)
  }
}

const keyOf = ({ key, length }: Cursor) => key.subarray(0, length)

const compare = (one: Cursor, other: Cursor) => one.compare(other.key, other.length)

function mergeTerms(sources: readonly Source[], writer: SegmentWriter) {
  const postings = new PostingsWriter()
  const positions = new Writer(4096)
  const cursors = sources.map(({ segment }) => segment.terms.all())
  inStep(cursors, (having) => {
    postings.clear()
    positions.length = 0
    let change = 0
    for (const i of having) {
      const entry = readEntry(cursors[i]!.value())
      change += entry.change
      if (entry.count > 0) copy(sources[i]!, entry, postings, positions)
    }
    writer.term(keyOf(cursors[having[0]!]!), change, postings, positions.view())
  })
}

let room = roomFor(1024)

function copy({ segment, numbers }: Source, entry: PostingEntry, postings: PostingsWriter, positions: Writer) {
  const bytes = segment.read(entry.offset, entry.length + entry.positionsLength)
  if (segment.deaths > 0) return copyLiving(bytes, entry, numbers, postings, positions)
  postings.append(bytes.subarray(0, entry.length), entry, numbers[0]!)
  positions.bytes(bytes.subarray(entry.length))
}

function copyLiving(
  bytes: Uint8Array,
  entry: PostingEntry,
  numbers: Int32Array,
  postings: PostingsWriter,
  positions: Writer,
) {
  if (room.documents.length < entry.count) room = roomFor(2 * entry.count)
  const { documents, titles, texts } = readPostings(bytes, entry.count, room)
  const reader = new Reader(bytes, entry.length)
  for (let i = 0; i < entry.count; i++) {
    const number = numbers[documents[i]!]!
    if (number >= 0) postings.add(number, titles[i]!, texts[i]!)
    if (entry.positionsLength === 0) continue
    const from = reader.at
    reader.skip(titles[i]! + texts[i]!)
    if (number >= 0) positions.bytes(bytes.subarray(from, reader.at))
  }
}

function mergeWords(sources: readonly Source[], writer: SegmentWriter) {
  const cursors = sources.map(({ segment }) => segment.words.all())
  inStep(cursors, (having) => {
    let change = 0
    for (const i of having) change += cursors[i]!.value().signed()
    const first = cursors[having[0]!]!
    const value = new Reader(first.valueBytes)
    value.signed()
    writer.word(keyOf(first), change, value.bytes.subarray(value.at))
  })
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
