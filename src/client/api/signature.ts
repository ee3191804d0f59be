// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Signature {
  get: {
    /** Read a signature */
    '/signature': {
      params: {
        /** Code of the document */
        document: string
        /** Distinguishes the same document signed in different stories */
        thread: string
        /** The newest unless given */
        version?: number | undefined
      }
      reply: {
        signature: {
          /** Identity of the record */
          id: number
          version: number
          document: string
          thread: string
          /** Base64 of exactly the bytes that were given */
          signature: string
          version_created_by: string
          /** UTC */
          version_created_at: string
          version_comment: string
          tags: string[]
          format: 'cms' | 'xml'
          signers: {
            /** Of the certificate, as RFC 4514 writes it; null where it has none inside */
            subject: string | null
            /** Issuer of the certificate */
            issuer: string | null
            /** Of the certificate, in hex */
            serial: string | null
            /** The identifier of the key in hex, where nothing else names the signer */
            key_id: string | null
            /** The time that the signer claims, in UTC */
            signed_at: string | null
            algorithm: string | null
            /** The place in this list, from 0, of the signer whose signature this one signs */
            countersigns: number | null
          }[]
          /** Of the first version */
          created_at: string
          /** Of the newest version */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'signature_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List signatures by their newest versions, the newest record first */
    '/signatures': {
      params: {
        /** Code of the document */
        document?: string | undefined
        /** The thread */
        chain?: string | undefined
        /** The same as `chain` */
        thread?: string | undefined
        /** The newest version */
        stage?: string | undefined
        /** Has any of these; an empty array: whatever its tags; `[]` unless given */
        tags?: string[] | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        signatures: {
          /** Identity of the record */
          id: number
          version: number
          document: string
          thread: string
          /** Base64 of exactly the bytes that were given */
          signature: string
          version_created_by: string
          /** UTC */
          version_created_at: string
          version_comment: string
          tags: string[]
          format: 'cms' | 'xml'
          signers: {
            /** Of the certificate, as RFC 4514 writes it; null where it has none inside */
            subject: string | null
            /** Issuer of the certificate */
            issuer: string | null
            /** Of the certificate, in hex */
            serial: string | null
            /** The identifier of the key in hex, where nothing else names the signer */
            key_id: string | null
            /** The time that the signer claims, in UTC */
            signed_at: string | null
            algorithm: string | null
            /** The place in this list, from 0, of the signer whose signature this one signs */
            countersigns: number | null
          }[]
          /** Of the first version */
          created_at: string
          /** Of the newest version */
          updated_at: string
          /** The thread */
          chain: string
          /** The version */
          stage: string
          /** The version before this one */
          parent: number | null
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
        /** Where to go on, if the page ended early for its size */
        next_offset?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List the versions of a signature, the newest first */
    '/signature/versions': {
      params: {
        /** Code of the document */
        document: string
        /** Distinguishes the same document signed in different stories */
        thread: string
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        versions: {
          version: number
          version_created_by: string
          /** UTC */
          version_created_at: string
          version_comment: string
          tags: string[]
          format: 'cms' | 'xml'
          signers: {
            /** Of the certificate, as RFC 4514 writes it; null where it has none inside */
            subject: string | null
            /** Issuer of the certificate */
            issuer: string | null
            /** Of the certificate, in hex */
            serial: string | null
            /** The identifier of the key in hex, where nothing else names the signer */
            key_id: string | null
            /** The time that the signer claims, in UTC */
            signed_at: string | null
            algorithm: string | null
            /** The place in this list, from 0, of the signer whose signature this one signs */
            countersigns: number | null
          }[]
          /** Bytes of the signed data */
          size: number
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
        /** Where to go on, if the page ended early for its size */
        next_offset?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'signature_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /**
     * Save a signature, or its next version
     * Of several saves that follow the same version one comes to pass; the others are 409 `version_conflict`, with the newest version in `content.version`.
     */
    '/signature': {
      params: {
        /** Code of the document */
        document: string
        /** Distinguishes the same document signed in different stories */
        thread: string
        /** Newest version that the caller has seen. 0 or 1 for a new signature.; `0` unless given */
        version?: number | undefined
        /** CMS as base64 of DER, or as PEM; or XML with a signature, or its base64 */
        cms: string
        /** Author of this version */
        version_created_by?: string | number | undefined
        version_comment?: string | number | undefined
        /** Of this version; the newest one is listed by them; `[]` unless given */
        tags?: string[] | undefined
      }
      reply: {
        signature: {
          /** Identity of the record */
          id: number
          version: number
          document: string
          thread: string
          /** Base64 of exactly the bytes that were given */
          signature: string
          version_created_by: string
          /** UTC */
          version_created_at: string
          version_comment: string
          tags: string[]
          format: 'cms' | 'xml'
          signers: {
            /** Of the certificate, as RFC 4514 writes it; null where it has none inside */
            subject: string | null
            /** Issuer of the certificate */
            issuer: string | null
            /** Of the certificate, in hex */
            serial: string | null
            /** The identifier of the key in hex, where nothing else names the signer */
            key_id: string | null
            /** The time that the signer claims, in UTC */
            signed_at: string | null
            algorithm: string | null
            /** The place in this list, from 0, of the signer whose signature this one signs */
            countersigns: number | null
          }[]
          /** Of the first version */
          created_at: string
          /** Of the newest version */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'version_conflict' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured'
    }
    /**
     * Verify a signature
     * Checks digests and signatures by the certificates inside: RSA, ECDSA and EdDSA. Whether these are to be trusted, and whether they had expired, is not checked.
     */
    '/signature/verify': {
      params: {
        /** Of a stored signature, with `thread` */
        document?: string | undefined
        /** Distinguishes the same document signed in different stories */
        thread?: string | undefined
        /** The newest unless given */
        version?: number | undefined
        /** A signature that is not stored */
        cms?: string | undefined
        /** Base64 of what was signed, for a detached signature */
        content?: string | undefined
      }
      reply: {
        verification: {
          format: 'cms' | 'xml'
          /** `unsupported`: by an algorithm that is not known here, which says nothing of its worth */
          result: 'valid' | 'invalid' | 'unsupported'
          signers: {
            /** Of the certificate, as RFC 4514 writes it; null where it has none inside */
            subject: string | null
            /** Issuer of the certificate */
            issuer: string | null
            /** Of the certificate, in hex */
            serial: string | null
            /** The identifier of the key in hex, where nothing else names the signer */
            key_id: string | null
            /** The time that the signer claims, in UTC */
            signed_at: string | null
            algorithm: string | null
            /** The place in this list, from 0, of the signer whose signature this one signs */
            countersigns: number | null
            /** `unsupported`: by an algorithm that is not known here, which says nothing of its worth */
            result: 'valid' | 'invalid' | 'unsupported'
            /** Why it is not valid */
            reason: string | null
            /** It rests on SHA-1, or on an RSA key of less than 2048 bits */
            weak: boolean
            /** What is signed: `content`, `document` (all of the XML but signatures that are left out), `#id` (an element of it), `signature` (the value of another signature). Parts that the transforms leave out are not listed */
            covers: string[]
          }[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'signature_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  delete: {
    /** Delete a signature with all its versions */
    '/signature': {
      params: {
        /** Code of the document */
        document: string
        /** Distinguishes the same document signed in different stories */
        thread: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'signature_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
