import type { NewIndexedDocument } from './engine/documents.ts'
import { hashOf } from './hash.ts'

/**
 * Documents on their way to their shards. They are UTF-8, since an RPC carries 32 MiB, and text with any letter beyond
 * Latin-1 in two bytes a character.
 */
export interface Parcel {
  /** Each document as JSON. */
  documents: Uint8Array[]
  /** Of each document's code: it says to which shard it goes. */
  hashes: number[]
}

/** A parcel whose documents have their places. */
export interface StampedParcel extends Parcel {
  /** The `seq` of each document. */
  seqs: number[]
}

interface Content {
  code: string
  title?: string | null | undefined
  text: string
}

/**
 * Packs documents, of those with the same code the last one. They are taken out of their array on the way, so that a large
 * bulk is never in memory twice.
 */
export function pack(documents: Content[]): Parcel {
  const encoder = new TextEncoder()
  const packed = new Map<string, Uint8Array>()
  for (let document = documents.shift(); document; document = documents.shift())
    packed.set(document.code, encoder.encode(JSON.stringify(document)))
  return { documents: [...packed.values()], hashes: Array.from(packed.keys(), hashOf) }
}

/** Each shard's part, by its number; nothing for one that gets none. */
export function split({ documents, hashes, seqs }: StampedParcel, shards: number): (StampedParcel | undefined)[] {
  return Array.from({ length: shards }, (_, shard) => {
    const own = [...hashes.keys()].filter((i) => hashes[i]! % shards === shard)
    const pick = <T>(all: T[]) => own.map((i) => all[i]!)
    return own.length > 0 ? { documents: pick(documents), hashes: pick(hashes), seqs: pick(seqs) } : undefined
  })
}

/** The same documents in smaller parcels, each of so many bytes or one document more. */
export function* lots({ documents, hashes, seqs }: StampedParcel, bytes: number): Generator<StampedParcel> {
  for (let from = 0, to = 0; from < documents.length; from = to) {
    for (let size = 0; to < documents.length && size < bytes; to++) size += documents[to]!.length
    yield { documents: documents.slice(from, to), hashes: hashes.slice(from, to), seqs: seqs.slice(from, to) }
  }
}

/** The documents in a parcel. */
export function unpack({ documents, seqs }: StampedParcel): NewIndexedDocument[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return documents.map((json, i) => {
    const { code, title = null, text } = JSON.parse(decoder.decode(json)) as Content
    return { code, title, text, seq: seqs[i]! }
  })
}
