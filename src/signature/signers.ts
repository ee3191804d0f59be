import { formatTime } from '#core/http/time'
import type { Signer } from './signed/signed.ts'

/** A signer as it is kept and shown. */
export const shownSigner = <Given extends Signer>({ signed_at, ...signer }: Given) => ({
  ...signer,
  signed_at: signed_at && formatTime(signed_at),
})
