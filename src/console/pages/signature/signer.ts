// The key of a signature, and the name of a signer, for the pages of signatures.

/** The document and thread of a signature. */
export interface SignatureKey {
  document: string
  thread: string
}

/** Name of a signer: its subject, or else its serial number or key id. */
export const nameOf = ({ subject, serial, key_id }: Record<'subject' | 'serial' | 'key_id', string | null>) =>
  subject ?? serial ?? key_id ?? 'unknown'
