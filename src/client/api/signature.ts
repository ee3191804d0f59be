// Types of the operations of signature, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Signature {
  get: {
    /**
     * Read a signature
     * Returns one version of a signature with its signed data: the newest version, or the one with the number `version`. 404 `signature_not_found` if no such signature or version is stored.
     */
    '/signature': {
      params: {
        /** Code of the signed document, at most 255 characters */
        document: string
        /** Process in which the document is signed, at most 255 characters. The same document can be signed independently in several threads */
        thread: string
        /** Number of the version. The first version is 1; no version has the number 0, which gets 404. Default: the newest version */
        version?: number | undefined
      }
      reply: {
        /** The version of the signature */
        signature: {
          /** Id of the signature, the same for all its versions */
          id: number
          /** Number of the version, from 1 */
          version: number
          /** Code of the document */
          document: string
          /** Thread in which the document is signed */
          thread: string
          /** The signed data in base64, exactly as saved: the DER of CMS in base64, or the UTF-8 text of PEM or XML */
          signature: string
          /** Author of the version */
          version_created_by: string
          /** When the version was saved */
          version_created_at: string
          /** Comment on the version */
          version_comment: string
          /** Tags of the version */
          tags: string[]
          /** Format of the signed data */
          format: 'cms' | 'xml'
          /** Signers as the signed data names them. They are not verified: use `POST /signature/verify` */
          signers: {
            /** Subject of the signer's certificate (RFC 4514); null if the signed data has no certificate of the signer */
            subject: string | null
            /** Issuer of the signer's certificate (RFC 4514); null if unknown */
            issuer: string | null
            /** Serial number of the signer's certificate, in hex; null if unknown */
            serial: string | null
            /** Key identifier in hex, if the signed data identifies the signer by it; otherwise null */
            key_id: string | null
            /** Signing time that the signer claims, in UTC; null if none is claimed */
            signed_at: string | null
            /** Signature algorithm, such as `RSA with SHA-256`; its OID or URI if the algorithm has no name here */
            algorithm: string | null
            /** Index in this list, from 0, of the signer whose signature this signer countersigns; otherwise null */
            countersigns: number | null
          }[]
          /** When the first version was saved */
          created_at: string
          /** When the newest version was saved */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'signature_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List signatures
     * Returns the newest version of each signature that matches all filters, in descending order of `id`. A page ends early at 32 MB; the reply then has `next_offset`. If nothing matches, the list is empty.
     */
    '/signatures': {
      params: {
        /** List only signatures of this document */
        document?: string | undefined
        /** List only signatures of this thread. Same as `thread` */
        chain?: string | undefined
        /** List only signatures of this thread */
        thread?: string | undefined
        /** List only signatures whose newest version has this number, from `1` */
        stage?: string | undefined
        /** List only signatures whose newest version has at least one of these tags. Without tags, or with an empty array, tags are ignored; default `[]` */
        tags?: string[] | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Newest versions, in descending order of `id` */
        signatures: {
          /** Id of the signature, the same for all its versions */
          id: number
          /** Number of the version, from 1 */
          version: number
          /** Code of the document */
          document: string
          /** Thread in which the document is signed */
          thread: string
          /** The signed data in base64, exactly as saved: the DER of CMS in base64, or the UTF-8 text of PEM or XML */
          signature: string
          /** Author of the version */
          version_created_by: string
          /** When the version was saved */
          version_created_at: string
          /** Comment on the version */
          version_comment: string
          /** Tags of the version */
          tags: string[]
          /** Format of the signed data */
          format: 'cms' | 'xml'
          /** Signers as the signed data names them. They are not verified: use `POST /signature/verify` */
          signers: {
            /** Subject of the signer's certificate (RFC 4514); null if the signed data has no certificate of the signer */
            subject: string | null
            /** Issuer of the signer's certificate (RFC 4514); null if unknown */
            issuer: string | null
            /** Serial number of the signer's certificate, in hex; null if unknown */
            serial: string | null
            /** Key identifier in hex, if the signed data identifies the signer by it; otherwise null */
            key_id: string | null
            /** Signing time that the signer claims, in UTC; null if none is claimed */
            signed_at: string | null
            /** Signature algorithm, such as `RSA with SHA-256`; its OID or URI if the algorithm has no name here */
            algorithm: string | null
            /** Index in this list, from 0, of the signer whose signature this signer countersigns; otherwise null */
            countersigns: number | null
          }[]
          /** When the first version was saved */
          created_at: string
          /** When the newest version was saved */
          updated_at: string
          /** Same as `thread` */
          chain: string
          /** Same as `version`, as a string */
          stage: string
          /** Number of the previous version; null for version 1 */
          parent: number | null
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** `offset` of the next page. Present only if this page was cut before its `limit` because of its size in bytes */
        next_offset?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the versions of a signature
     * Returns the versions of one signature without the signed data, the newest first. A page ends early at 8 MB; the reply then has `next_offset`.
     */
    '/signature/versions': {
      params: {
        /** Code of the signed document, at most 255 characters */
        document: string
        /** Process in which the document is signed, at most 255 characters. The same document can be signed independently in several threads */
        thread: string
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Versions, the newest first */
        versions: {
          /** Number of the version, from 1 */
          version: number
          /** Author of the version */
          version_created_by: string
          /** When the version was saved */
          version_created_at: string
          /** Comment on the version */
          version_comment: string
          /** Tags of the version */
          tags: string[]
          /** Format of the signed data */
          format: 'cms' | 'xml'
          /** Signers as the signed data names them. They are not verified: use `POST /signature/verify` */
          signers: {
            /** Subject of the signer's certificate (RFC 4514); null if the signed data has no certificate of the signer */
            subject: string | null
            /** Issuer of the signer's certificate (RFC 4514); null if unknown */
            issuer: string | null
            /** Serial number of the signer's certificate, in hex; null if unknown */
            serial: string | null
            /** Key identifier in hex, if the signed data identifies the signer by it; otherwise null */
            key_id: string | null
            /** Signing time that the signer claims, in UTC; null if none is claimed */
            signed_at: string | null
            /** Signature algorithm, such as `RSA with SHA-256`; its OID or URI if the algorithm has no name here */
            algorithm: string | null
            /** Index in this list, from 0, of the signer whose signature this signer countersigns; otherwise null */
            countersigns: number | null
          }[]
          /** Size of the signed data in bytes, before base64 */
          size: number
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** `offset` of the next page. Present only if this page was cut before its `limit` because of its size in bytes */
        next_offset?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'signature_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /**
     * Save a version of a signature
     * Creates a signature, or adds a version to it. `version` is the number of the newest version that the caller has seen: 0 (the minimum and the default) for a new signature, 3 to save version 4. If it is not the newest version, nothing is stored and the reply is 409 `version_conflict`, with the number of the newest version in `content.version` (0 if there is none). Of several saves that follow the same version, one succeeds. Signed data that cannot be parsed gets 400 `validation_failed`; the signature itself is not verified. The reply has the saved version.
     */
    '/signature': {
      params: {
        /** Code of the signed document, at most 255 characters */
        document: string
        /** Process in which the document is signed, at most 255 characters. The same document can be signed independently in several threads */
        thread: string
        /** Number of the newest version that the caller has seen, at least 0. The saved version gets the next number. 0 means that none exists yet. If no version exists, 1 is accepted like 0 and saves version 1, but a retry with 1 then adds version 2; default `0` */
        version?: number | undefined
        /** Signed data: CMS (DER in base64, or PEM) or XML with a signature (as text, or in base64). At most 16,000,000 characters */
        cms: string
        /** Author of this version, at most 255 characters */
        version_created_by?: string | number | undefined
        /** Comment on this version, at most 10,000 characters */
        version_comment?: string | number | undefined
        /** Tags of this version: at most 100, of 1 to 255 characters each. `GET /signatures` filters by the tags of the newest version; default `[]` */
        tags?: string[] | undefined
      }
      reply: {
        /** The version of the signature */
        signature: {
          /** Id of the signature, the same for all its versions */
          id: number
          /** Number of the version, from 1 */
          version: number
          /** Code of the document */
          document: string
          /** Thread in which the document is signed */
          thread: string
          /** The signed data in base64, exactly as saved: the DER of CMS in base64, or the UTF-8 text of PEM or XML */
          signature: string
          /** Author of the version */
          version_created_by: string
          /** When the version was saved */
          version_created_at: string
          /** Comment on the version */
          version_comment: string
          /** Tags of the version */
          tags: string[]
          /** Format of the signed data */
          format: 'cms' | 'xml'
          /** Signers as the signed data names them. They are not verified: use `POST /signature/verify` */
          signers: {
            /** Subject of the signer's certificate (RFC 4514); null if the signed data has no certificate of the signer */
            subject: string | null
            /** Issuer of the signer's certificate (RFC 4514); null if unknown */
            issuer: string | null
            /** Serial number of the signer's certificate, in hex; null if unknown */
            serial: string | null
            /** Key identifier in hex, if the signed data identifies the signer by it; otherwise null */
            key_id: string | null
            /** Signing time that the signer claims, in UTC; null if none is claimed */
            signed_at: string | null
            /** Signature algorithm, such as `RSA with SHA-256`; its OID or URI if the algorithm has no name here */
            algorithm: string | null
            /** Index in this list, from 0, of the signer whose signature this signer countersigns; otherwise null */
            countersigns: number | null
          }[]
          /** When the first version was saved */
          created_at: string
          /** When the newest version was saved */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'version_conflict' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Verify a signature
     * Verifies a stored signature (`document`, `thread` and optionally `version`) or the signed data in `cms`. Checks all digests and signature values (RSA, ECDSA and Ed25519) with the certificates or keys in the signed data. Does not check whether a certificate is trusted, expired or revoked. A signature that is not valid still gets 200: the outcome is in `verification.result`. A detached signature needs `content`, else the reply is 400 `validation_failed`. 404 `signature_not_found` if no such signature or version is stored. Nothing is changed.
     */
    '/signature/verify': {
      params: {
        /** Code of the document of a stored signature. Required with `thread`, unless `cms` is given */
        document?: string | undefined
        /** Thread of a stored signature. Required with `document`, unless `cms` is given */
        thread?: string | undefined
        /** Number of the stored version. The first version is 1; 0 gets 404. Default: the newest version */
        version?: number | undefined
        /** Signed data that is not stored: CMS (DER in base64, or PEM) or XML (as text, or in base64), at most 16,000,000 characters. Not with `document`, `thread` or `version` */
        cms?: string | undefined
        /** Signed content in base64, for a detached signature, whose verification is 400 without it; at most 16,000,000 characters */
        content?: string | undefined
      }
      reply: {
        /** Result of the verification */
        verification: {
          /** Format of the signed data */
          format: 'cms' | 'xml'
          /** `invalid` if any signer is invalid, else `unsupported` if any signer is unsupported, else `valid` */
          result: 'valid' | 'invalid' | 'unsupported'
          /** Signers in the order of the signed data */
          signers: {
            /** Subject of the signer's certificate (RFC 4514); null if the signed data has no certificate of the signer */
            subject: string | null
            /** Issuer of the signer's certificate (RFC 4514); null if unknown */
            issuer: string | null
            /** Serial number of the signer's certificate, in hex; null if unknown */
            serial: string | null
            /** Key identifier in hex, if the signed data identifies the signer by it; otherwise null */
            key_id: string | null
            /** Signing time that the signer claims, in UTC; null if none is claimed */
            signed_at: string | null
            /** Signature algorithm, such as `RSA with SHA-256`; its OID or URI if the algorithm has no name here */
            algorithm: string | null
            /** Index in this list, from 0, of the signer whose signature this signer countersigns; otherwise null */
            countersigns: number | null
            /** Result for this signer. `unsupported` means that the signature cannot be checked here, for example because of its algorithm; the signature may be valid or not */
            result: 'valid' | 'invalid' | 'unsupported'
            /** Why the signature is `invalid`, `unsupported` or `weak`, in one sentence; otherwise null */
            reason: string | null
            /** Whether the signature depends on SHA-1, or on an RSA key of less than 2048 bits */
            weak: boolean
            /** Parts that are signed: `content` (the content of CMS, or the outside data of XML), `document` (the whole XML document except signatures that are left out), `#id` (the XML element with this Id), `signature` (the value of another signature). Parts that the transforms leave out are not listed */
            covers: string[]
          }[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'signature_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  delete: {
    /**
     * Delete a signature
     * Deletes a signature with all its versions and tags. This cannot be undone. 404 `signature_not_found` if no such signature is stored.
     */
    '/signature': {
      params: {
        /** Code of the signed document, at most 255 characters */
        document: string
        /** Process in which the document is signed, at most 255 characters. The same document can be signed independently in several threads */
        thread: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'signature_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
