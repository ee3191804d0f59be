// Encodes the documents of a bulk write for RPC calls to the shards, and splits them by shard and by size.
import type { NewIndexedDocument } from './engine/indexed-document.ts'
import { hashOf } from './hash.ts'

/**
 * Documents of a bulk write, encoded for an RPC, which carries up to 32 MiB. They are bytes in UTF-8: a string with a character
 * beyond Latin-1 would be sent with two bytes for each character.
 */
export interface DocumentBatch {
  /** Each document as JSON in UTF-8. */
  documents: Uint8Array[]
  /** Hash of each document's code. It selects the document's shard. */
  hashes: number[]
}

/** A batch whose documents have sequence numbers, which the coordinator assigns. */
export interface SequencedBatch extends DocumentBatch {
  /** The sequence number of each document. It orders documents with equal scores. */
  seqs: number[]
}

interface DocumentContent {
  code: string
  title?: string | null | undefined
  text: string
}

/**
 * Encodes documents. Of several with the same code, only the last one is kept. Empties the array while it encodes, so that a large
 * bulk is never in memory twice.
 */
export function encodeBatch(documents: DocumentContent[]): DocumentBatch {
  const encoder = new TextEncoder()
  const encoded = new Map<string, Uint8Array>()
  for (let document = documents.shift(); document; document = documents.shift())
    encoded.set(document.code, encoder.encode(JSON.stringify(document)))
  return { documents: [...encoded.values()], hashes: Array.from(encoded.keys(), hashOf) }
}

/**
 * Splits a batch by shard, by the hashes of the codes. The result has a batch for each shard number, or undefined if the shard gets
 * no document.
 */
export function splitByShard(
  { documents, hashes, seqs }: SequencedBatch,
  shards: number,
): (SequencedBatch | undefined)[] {
  return Array.from({ length: shards }, (_, shard) => {
    const members = [...hashes.keys()].filter((i) => hashes[i]! % shards === shard)
    const pick = <T>(all: T[]) => members.map((i) => all[i]!)
    return members.length > 0 ? { documents: pick(documents), hashes: pick(hashes), seqs: pick(seqs) } : undefined
  })
}

/** Splits a batch into smaller ones. Each ends with the document that makes it reach `bytes`. */
export function* splitBySize({ documents, hashes, seqs }: SequencedBatch, bytes: number): Generator<SequencedBatch> {
  for (let from = 0, to = 0; from < documents.length; from = to) {
    for (let size = 0; to < documents.length && size < bytes; to++) size += documents[to]!.length
    yield { documents: documents.slice(from, to), hashes: hashes.slice(from, to), seqs: seqs.slice(from, to) }
  }
}

/** Decodes the documents of a batch. */
export function decodeBatch({ documents, seqs }: SequencedBatch): NewIndexedDocument[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return documents.map((json, i) => {
    const { code, title = null, text } = JSON.parse(decoder.decode(json)) as DocumentContent
    return { code, title, text, seq: seqs[i]! }
  })
}
