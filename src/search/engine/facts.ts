import { Reader, Writer } from './bytes.ts'

/** What is known of each document of a segment, by its number there. */
export interface Facts {
  /** Its row in the table of documents; ascending. */
  rows: Float64Array
  seqs: Float64Array
  /** Its words; in full text those of the title count as often as they weigh. */
  lengths: Uint32Array
}

export const factsFor = (count: number): Facts => ({
  rows: new Float64Array(count),
  seqs: new Float64Array(count),
  lengths: new Uint32Array(count),
})

export function writeFacts({ rows, seqs, lengths }: Facts): Uint8Array<ArrayBuffer> {
  const out = new Writer(16 * rows.length + 8)
  out.number(rows.length)
  for (let i = 0; i < rows.length; i++) {
    out.number(rows[i]! - (rows[i - 1] ?? 0))
    out.signed(seqs[i]! - (seqs[i - 1] ?? 0))
    out.number(lengths[i]!)
  }
  return out.copy()
}

export function readFacts(bytes: Uint8Array): Facts {
  const reader = new Reader(bytes)
  const facts = factsFor(reader.number())
  let row = 0
  let seq = 0
  for (let i = 0; i < facts.rows.length; i++) {
    facts.rows[i] = row += reader.number()
    facts.seqs[i] = seq += reader.signed()
    facts.lengths[i] = reader.number()
  }
  return facts
}
