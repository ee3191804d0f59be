import { type PostingEntry, type Postings, readPostings, roomFor } from './postings.ts'
import type { Segment } from './segment.ts'

let room = roomFor(4096)

/** The postings of a term, until the next ones are read. */
export function postingsOf(segment: Segment, { count, offset, length }: PostingEntry): Postings {
  if (room.documents.length < count) room = roomFor(2 * count)
  if (count === 0) room.count = 0
  return count === 0 ? room : readPostings(segment.read(offset, length), count, room)
}

let scores = new Float64Array(1024)
let marks = new Uint16Array(1024)
let touched = new Uint32Array(1024)

/** What one search keeps for each document of a segment: all 0 at first, and to be left so. */
export interface Scratch {
  scores: Float64Array
  marks: Uint16Array
  /** Numbers of documents, in the order in which they were come to. */
  touched: Uint32Array
}

/** Has the next search begin anew, after one that could not leave all 0. */
export function dropScratch() {
  scores = new Float64Array(0)
  marks = new Uint16Array(0)
  touched = new Uint32Array(0)
}

export function scratchFor(documents: number): Scratch {
  if (scores.length < documents) {
    scores = new Float64Array(2 * documents)
    marks = new Uint16Array(2 * documents)
    touched = new Uint32Array(2 * documents)
  }
  return { scores, marks, touched }
}
