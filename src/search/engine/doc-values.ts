// Columns with the values of each document in a segment, which scoring reads.
import { ByteReader, ByteWriter } from './bytes.ts'

/**
 * Values of the documents of a segment, in columns, as DocValues in Lucene. The index in a column is the document's number in the
 * segment.
 */
export interface DocValues {
  /** Row of each document in the table `documents`, ascending. */
  rows: Float64Array
  /** Sequence number of each document, which orders documents with equal scores. */
  seqs: Float64Array
  /** Number of words of each document. In full text, a word of the title counts `titleWeight` times. */
  lengths: Uint32Array
}

export const newDocValues = (count: number): DocValues => ({
  rows: new Float64Array(count),
  seqs: new Float64Array(count),
  lengths: new Uint32Array(count),
})

export function encodeDocValues({ rows, seqs, lengths }: DocValues): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(16 * rows.length + 8)
  out.number(rows.length)
  for (let i = 0; i < rows.length; i++) {
    out.number(rows[i]! - (rows[i - 1] ?? 0))
    out.signed(seqs[i]! - (seqs[i - 1] ?? 0))
    out.number(lengths[i]!)
  }
  return out.copy()
}

export function decodeDocValues(bytes: Uint8Array): DocValues {
  const reader = new ByteReader(bytes)
  const docValues = newDocValues(reader.number())
  let row = 0
  let seq = 0
  for (let i = 0; i < docValues.rows.length; i++) {
    docValues.rows[i] = row += reader.number()
    docValues.seqs[i] = seq += reader.signed()
    docValues.lengths[i] = reader.number()
  }
  return docValues
}
