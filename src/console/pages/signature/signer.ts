// The key of a signature and the name of a signer, for the signature pages of the console.

/** The document and thread of a signature. */
export interface SignatureKey {
  document: string
  thread: string
}

/** Returns a name for a signer: the subject of the certificate, else its serial number or key identifier. */
export const nameOf = ({ subject, serial, key_id }: Record<'subject' | 'serial' | 'key_id', string | null>) =>
  subject ?? serial ?? key_id ?? 'unknown'
