// Converts signers to JSON, for the database and for replies.
import { invalid } from '#core/failure'
import { formatTime } from '#core/http/time'
import type { Signer } from './signed/types.ts'

/** A D1 row has at most 2 MB, of which the signed data may take 1.33 MB. */
const maxSignersBytes = 250_000

/** Signers as JSON for the database. Throws 400 if they are too large for a row. */
export function signersJson(signers: Signer[]): string {
  const text = JSON.stringify(signers.map(signerReply))
  if (Buffer.byteLength(text) <= maxSignersBytes) return text
  throw invalid('cms', `Must have signers whose names take at most ${maxSignersBytes} bytes in total`)
}

/** A signer as in replies. */
export const signerReply = <S extends Signer>({ signed_at, ...signer }: S) => ({
  ...signer,
  signed_at: signed_at && formatTime(signed_at),
})
