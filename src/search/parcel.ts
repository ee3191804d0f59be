import type { NewDocument } from './engine/documents.ts'
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

type Content = Omit<NewDocument, 'seq'>

/** Packs documents, of those with the same code the last one. */
export function pack(documents: readonly Content[]): Parcel {
  const unique = [...new Map(documents.map((document) => [document.code, document])).values()]
  const encoder = new TextEncoder()
  return {
    documents: unique.map((document) => encoder.encode(JSON.stringify(document))),
    hashes: unique.map(({ code }) => hashOf(code)),
  }
}

/** Each shard's part, by its number; nothing for one that gets none. */
export function split({ documents, hashes, seqs }: StampedParcel, shards: number): (StampedParcel | undefined)[] {
  return Array.from({ length: shards }, (_, shard) => {
    const own = [...hashes.keys()].filter((i) => hashes[i]! % shards === shard)
    const pick = <T>(all: T[]) => own.map((i) => all[i]!)
    return own.length > 0 ? { documents: pick(documents), hashes: pick(hashes), seqs: pick(seqs) } : undefined
  })
}

/** The documents in a parcel. */
export function unpack({ documents, seqs }: StampedParcel): NewDocument[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return documents.map((json, i) => ({ ...(JSON.parse(decoder.decode(json)) as Content), seq: seqs[i]! }))
}
