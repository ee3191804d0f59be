// Converts the signers of a signature to JSON, for the database and for replies.
import { invalid } from '#core/failure'
import { formatTime } from '#core/http/time'
import type { Signer } from './signed/types.ts'

/** Maximum size of the signers' JSON in bytes. A D1 row has at most 2 MB, of which the signed data may take 1.33 MB. */
const maxSignersBytes = 250_000

/** Returns signers as JSON for the database. Throws 400 if the JSON is too large for a row. */
export function signersJson(signers: Signer[]): string {
  const text = JSON.stringify(signers.map(signerReply))
  if (Buffer.byteLength(text) <= maxSignersBytes) return text
  throw invalid('cms', `Must have signers whose names take at most ${maxSignersBytes} bytes in total`)
}

/** Converts a signer to the format of replies, where the signing time is a text. */
export const signerReply = <S extends Signer>({ signed_at, ...signer }: S) => ({
  ...signer,
  signed_at: signed_at && formatTime(signed_at),
})
