/** The document and thread of a signature. */
export interface SignatureKey {
  document: string
  thread: string
}

/** The name of a signer: the first of its subject, serial number and key id that the signature has. */
export const nameOf = ({ subject, serial, key_id }: Record<'subject' | 'serial' | 'key_id', string | null>) =>
  subject ?? serial ?? key_id ?? 'unknown'
