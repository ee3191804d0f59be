import { invalid } from '#core/failure'
import { formatTime } from '#core/http/time'
import type { Signer } from './signed/types.ts'

/** Bytes: a row has 2 MB at most, of which the signed data may take 1.33. */
const mostOfRow = 250_000

/** Signers as they are kept, in JSON; 400 where they say more of themselves than a row has room for. */
export function signersText(signers: Signer[]): string {
  const text = JSON.stringify(signers.map(shownSigner))
  if (Buffer.byteLength(text) <= mostOfRow) return text
  throw invalid('cms', `Must have signers whose names are at most ${mostOfRow} bytes long together`)
}

/** A signer as it is shown. */
export const shownSigner = <Given extends Signer>({ signed_at, ...signer }: Given) => ({
  ...signer,
  signed_at: signed_at && formatTime(signed_at),
})
