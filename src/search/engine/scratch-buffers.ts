// Buffers that all searches of an isolate reuse, so that a search allocates no memory. Sharing them is safe, because a search is
// synchronous.
import { allocatePostings, decodePostings, type PostingEntry, type Postings } from './postings.ts'
import type { Segment } from './segment.ts'

let buffer = allocatePostings(4096)

/** Decodes the postings of a term into the shared buffer. The result is valid until the next call. */
export function postingsOf(segment: Segment, { count, offset, length }: PostingEntry): Postings {
  if (buffer.documents.length < count) buffer = allocatePostings(2 * count)
  if (count === 0) buffer.count = 0
  return count === 0 ? buffer : decodePostings(segment.read(offset, length), count, buffer)
}

let scores = new Float64Array(1024)
let marks = new Uint16Array(1024)
let touched = new Uint32Array(1024)

/** Accumulators of one search, indexed by the document's number in its segment. A search sets them back to 0 when it ends. */
export interface ScratchBuffers {
  scores: Float64Array
  marks: Uint16Array
  /** Numbers of the documents that the search has reached, in the order in which it reached them. */
  touched: Uint32Array
}

/** Replaces the accumulators. Called after a search has failed, since it may have left values other than 0. */
export function resetScratchBuffers() {
  scores = new Float64Array(0)
  marks = new Uint16Array(0)
  touched = new Uint32Array(0)
}

export function scratchBuffersFor(documents: number): ScratchBuffers {
  if (scores.length < documents) {
    scores = new Float64Array(2 * documents)
    marks = new Uint16Array(2 * documents)
    touched = new Uint32Array(2 * documents)
  }
  return { scores, marks, touched }
}
