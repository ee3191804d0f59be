export type Format = 'cms' | 'xml'

/** Signed data as it was given, and who has signed it. */
export interface Signed {
  format: Format
  /** Exactly what was given: PEM and XML as UTF-8 text, base64 decoded. */
  bytes: Uint8Array<ArrayBuffer>
  /** At least one, in the order in which they stand; a counter-signer follows whom it counter-signs. */
  signers: Signer[]
}

/** Who has signed, as the signed data itself says: nothing of it is proven before `verifySigned`, and trust never is. */
export interface Signer {
  /** Of the certificate, as RFC 4514 writes it: `CN=Ann,O=Acme,C=KZ`. Null when the certificate is not inside. */
  subject: string | null
  /** Who issued the certificate, as RFC 4514 writes it. */
  issuer: string | null
  /** Of the certificate, in upper-case hex as `openssl x509 -serial` shows it. */
  serial: string | null
  /** The identifier of the key in upper-case hex, where the signer is named by nothing else. */
  key_id: string | null
  /** What the signer claims, in signed attributes or XAdES signed properties. */
  signed_at: Date | null
  /** Such as `RSA with SHA-256`; an object identifier or URI where it has no name here. */
  algorithm: string | null
  /** The place in the list of the signer whose signature this one signs. */
  countersigns: number | null
}

/** `unsupported` says nothing about the signature: something that it takes to check it is missing here or in it. */
export type CheckResult = 'valid' | 'invalid' | 'unsupported'

/** What checking all signers has come to. */
export interface Verification {
  /** `invalid` when any signer is, else `unsupported` when any is. */
  result: CheckResult
  signers: VerifiedSigner[]
}

/** A signer, and what is known now. */
export interface VerifiedSigner extends Signer {
  result: CheckResult
  /** One sentence on what is wrong or missing. */
  reason: string | null
  /** The signature rests on SHA-1, or on an RSA key of less than 2048 bits. */
  weak: boolean
  /**
   * What is under the signature: `content` (what CMS carries or is detached from, or what an XML reference finds
   * outside), `document` (the whole XML, less the signatures that are left out), `#id` (the XML element with that Id),
   * `signature` (another signer's). With what the Manifests refer to that are under it.
   */
  covers: string[]
}
