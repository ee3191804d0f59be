// Merges segments of an inverted index into one.
import { ByteReader, ByteWriter } from './bytes.ts'
import type { Cursor } from './dictionary.ts'
import { type DocValues, newDocValues } from './doc-values.ts'
import { allocatePostings, decodeEntry, decodePostings, type PostingEntry, PostingsWriter } from './postings.ts'
import type { Segment, SegmentWriter } from './segment.ts'

/** Merges segments into one and leaves out the deleted documents. The rows of the segments must be ascending. */
export function mergeSegments(segments: readonly Segment[], writer: SegmentWriter): DocValues {
  const sources = renumber(segments)
  mergeTerms(sources, writer)
  mergeWords(sources, writer)
  return mergeDocValues(sources)
}

/** A segment that is being merged. */
interface MergeSource {
  segment: Segment
  /** The number of each document in the merged segment; -1 for a deleted document. */
  numbers: Int32Array
}

function renumber(segments: readonly Segment[]): MergeSource[] {
  let next = 0
  return segments.map((segment) => ({
    segment,
    numbers: Int32Array.from(segment.deleted, (isDeleted) => (isDeleted ? -1 : next++)),
  }))
}

/** k-way merge: visits each key that any dictionary has once, in order, with the indexes of the cursors that have the key. */
function mergeKeys(cursors: readonly Cursor[], visit: (owners: readonly number[]) => void) {
  let left = cursors.flatMap((cursor, i) => (cursor.next() ? i : []))
  const owners: number[] = []
  while (left.length > 0) {
    owners.length = 0
    for (const i of left) {
      const difference = owners.length === 0 ? -1 : compare(cursors[i]!, cursors[owners[0]!]!)
      if (difference < 0) owners.length = 0
      if (difference <= 0) owners.push(i)
    }
    visit(owners)
    for (const i of owners) if (!cursors[i]!.next()) left = left.filter((one) => one !== i)
  }
}

const keyOf = ({ key, length }: Cursor) => key.subarray(0, length)

const compare = (one: Cursor, other: Cursor) => one.compare(other.key, other.length)

function mergeTerms(sources: readonly MergeSource[], writer: SegmentWriter) {
  const postings = new PostingsWriter()
  const positions = new ByteWriter(4096)
  const cursors = sources.map(({ segment }) => segment.terms.start())
  mergeKeys(cursors, (owners) => {
    postings.clear()
    positions.length = 0
    let change = 0
    for (const i of owners) {
      const entry = decodeEntry(cursors[i]!.value())
      change += entry.change
      if (entry.count > 0) copyPostings(sources[i]!, entry, postings, positions)
    }
    writer.term(keyOf(cursors[owners[0]!]!), change, postings, positions.view())
  })
}

let buffer = allocatePostings(1024)

/** Copies the postings of a term. If no document is deleted, the bytes are copied without decoding. */
function copyPostings(
  { segment, numbers }: MergeSource,
  entry: PostingEntry,
  postings: PostingsWriter,
  positions: ByteWriter,
) {
  const bytes = segment.read(entry.offset, entry.length + entry.positionsLength)
  if (segment.deletedCount > 0) return copyLive(bytes, entry, numbers, postings, positions)
  postings.append(bytes.subarray(0, entry.length), entry, numbers[0]!)
  positions.bytes(bytes.subarray(entry.length))
}

function copyLive(
  bytes: Uint8Array,
  entry: PostingEntry,
  numbers: Int32Array,
  postings: PostingsWriter,
  positions: ByteWriter,
) {
  if (buffer.documents.length < entry.count) buffer = allocatePostings(2 * entry.count)
  const { documents, titles, texts } = decodePostings(bytes, entry.count, buffer)
  const reader = new ByteReader(bytes, entry.length)
  for (let i = 0; i < entry.count; i++) {
    const number = numbers[documents[i]!]!
    if (number >= 0) postings.add(number, titles[i]!, texts[i]!)
    if (entry.positionsLength === 0) continue
    const from = reader.at
    reader.skip(titles[i]! + texts[i]!)
    if (number >= 0) positions.bytes(bytes.subarray(from, reader.at))
  }
}

function mergeWords(sources: readonly MergeSource[], writer: SegmentWriter) {
  const cursors = sources.map(({ segment }) => segment.words.start())
  mergeKeys(cursors, (owners) => {
    let change = 0
    for (const i of owners) change += cursors[i]!.value().signed()
    const first = cursors[owners[0]!]!
    const value = new ByteReader(first.valueBytes)
    value.signed()
    writer.word(keyOf(first), change, value.bytes.subarray(value.at))
  })
}

function mergeDocValues(sources: readonly MergeSource[]): DocValues {
  const docValues = newDocValues(
    sources.reduce((sum, { segment }) => sum + segment.deleted.length - segment.deletedCount, 0),
  )
  for (const { segment, numbers } of sources) {
    numbers.forEach((number, document) => {
      if (number < 0) return
      docValues.rows[number] = segment.docValues.rows[document]!
      docValues.seqs[number] = segment.docValues.seqs[document]!
      docValues.lengths[number] = segment.docValues.lengths[document]!
    })
  }
  return docValues
}
