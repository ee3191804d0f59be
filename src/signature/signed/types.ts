// The results of the parser and the verifier of signed data, for both formats.

export type Format = 'cms' | 'xml'

/** Parsed signed data with its signers. */
export interface ParsedSignature {
  format: Format
  /** The bytes to store: decoded base64, or the UTF-8 text of PEM and XML. */
  bytes: Uint8Array<ArrayBuffer>
  /** The signers, at least one, in the order of the signed data. A counter-signer follows the signer whose signature it signs. */
  signers: Signer[]
}

/**
 * A signer as the signed data describes it. Nothing is proven: `verifySignedData` checks the signature, and nothing checks whether
 * the certificate is trusted.
 */
export interface Signer {
  /**
   * Subject of the certificate (RFC 4514), such as `CN=Ann,O=Acme,C=KZ`. Null if the signed data has no certificate of the signer.
   */
  subject: string | null
  /** Issuer of the certificate (RFC 4514). */
  issuer: string | null
  /** Serial number of the certificate in upper-case hex, as in `openssl x509 -serial`. */
  serial: string | null
  /** Key identifier in upper-case hex, if the signed data identifies the signer by it. */
  key_id: string | null
  /** Signing time that the signer claims, in signed attributes or XAdES signed properties. */
  signed_at: Date | null
  /** Signature algorithm, such as `RSA with SHA-256`; an OID or URI if this component has no name for it. */
  algorithm: string | null
  /** Index in the list of the signer whose signature this signer counter-signs; null if the signer signs the content. */
  countersigns: number | null
}

/**
 * Result of a check. `unsupported` means that the signature cannot be checked, because an algorithm is not supported or the data is
 * incomplete.
 */
export type CheckResult = 'valid' | 'invalid' | 'unsupported'

/** Result of the verification of all signers. */
export interface Verification {
  /** `invalid` if any signer is invalid, else `unsupported` if any signer is unsupported, else `valid`. */
  result: CheckResult
  signers: VerifiedSigner[]
}

/** A signer with the result of the verification. */
export interface VerifiedSigner extends Signer {
  result: CheckResult
  /** Why the signature is not valid, or is weak, in one sentence; otherwise null. */
  reason: string | null
  /** Whether the signature depends on SHA-1, or on an RSA key of less than 2048 bits. */
  weak: boolean
  /**
   * The signed parts: `content` (the content of CMS, also a detached one, or an external resource of XML), `document` (the whole
   * XML document except signatures that are excluded), `#id` (the XML element with that Id), `signature` (another signer's
   * signature). Includes the parts to which signed Manifests refer.
   */
  covers: string[]
}
