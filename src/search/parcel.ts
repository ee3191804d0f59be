import type { NewDocument } from './engine/documents.ts'
import { hashOf } from './hash.ts'

/**
 * Documents on their way to their shards. They are UTF-8, since an RPC carries 32 MiB, and text with any letter beyond
 * Latin-1 in two bytes a character.
 */
export interface Parcel {
  /** Of each document's code. */
  hashes: Uint32Array
  /** Where each document begins, and at last where all end. */
  offsets: Uint32Array
  /** The documents as JSON, one after the other. */
  bytes: Uint8Array
}

/** A parcel whose documents have their places. */
export interface StampedParcel extends Parcel {
  /** The `seq` of each document. */
  seqs: Float64Array
}

type Content = Omit<NewDocument, 'seq'>

/** Packs documents, of those with the same code the last one. */
export function pack(documents: readonly Content[]): Parcel {
  const unique = [...new Map(documents.map((document) => [document.code, document])).values()]
  const encoder = new TextEncoder()
  const pieces = unique.map((document) => encoder.encode(JSON.stringify(document)))
  return assemble(
    Uint32Array.from(unique, ({ code }) => hashOf(code)),
    pieces,
  )
}

/** Each shard's part, by its number; nothing for one that gets none. */
export function split({ hashes, offsets, bytes, seqs }: StampedParcel, shards: number): (StampedParcel | undefined)[] {
  if (shards === 1) return [{ hashes, offsets, bytes, seqs }]
  return Array.from({ length: shards }, (_, shard) => {
    const chosen = [...hashes.keys()].filter((i) => hashes[i]! % shards === shard)
    if (chosen.length === 0) return undefined
    const pieces = chosen.map((i) => bytes.subarray(offsets[i], offsets[i + 1]))
    const parcel = assemble(
      Uint32Array.from(chosen, (i) => hashes[i]!),
      pieces,
    )
    return { ...parcel, seqs: Float64Array.from(chosen, (i) => seqs[i]!) }
  })
}

/** The documents in a parcel. */
export function unpack({ offsets, bytes, seqs }: StampedParcel): NewDocument[] {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return Array.from(seqs, (seq, i) => {
    const content = JSON.parse(decoder.decode(bytes.subarray(offsets[i], offsets[i + 1]))) as Content
    return { ...content, seq }
  })
}

function assemble(hashes: Uint32Array, pieces: Uint8Array[]): Parcel {
  const offsets = new Uint32Array(pieces.length + 1)
  for (const [i, { length }] of pieces.entries()) offsets[i + 1] = offsets[i]! + length
  const bytes = new Uint8Array(offsets.at(-1)!)
  for (const [i, piece] of pieces.entries()) bytes.set(piece, offsets[i])
  return { hashes, offsets, bytes }
}
