// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Access {
  post: {
    /**
     * Create a note
     * Equal notes are separate. With an `Idempotency-Key` a retry adds none.
     */
    '/note': {
      params: {
        /** Text of the note */
        text: string
      }
      reply: {
        /** Id of the note */
        id: number
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
  }
  delete: {
    /**
     * Delete a note
     * Deletes the note with this `id` of `GET /notes`.
     */
    '/note': {
      params: {
        /** Id of the note */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'note_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /**
     * List notes
     * Lists the notes, newest first.
     */
    '/notes': {
      params: {
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        notes: {
          /** Id of the note */
          id: number
          /** Text of the note */
          text: string
          /** Time in UTC */
          created_at: string
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
}
