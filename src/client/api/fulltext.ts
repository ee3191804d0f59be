// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Fulltext {
  post: {
    /**
     * Create an index
     * It is there for documents when this is answered; 409 where there is one of this name.
     */
    '/index': {
      params: {
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        name: string
        /** Over how many objects the documents are spread, up to 16, for good; each holds up to 9.5 GB; default `1` */
        shards?: number | undefined
        /** Language of the stemmer: one of armenian, basque, catalan, czech, danish, dutch, dutch_porter, english, esperanto, estonian, finnish, french, german, greek, hindi, hungarian, indonesian, irish, italian, lithuanian, lovins, nepali, none, norwegian, persian, polish, porter, portuguese, romanian, russian, serbian, spanish, swedish, turkish, yiddish, also written `_russian_`; default `"english"` */
        stemmer?: string | undefined
        /** Words that a query ignores: the language of a list, one of arabic, armenian, basque, bengali, brazilian, bulgarian, catalan, czech, danish, dutch, dutch_porter, english, estonian, finnish, french, galician, german, greek, hindi, hungarian, indonesian, irish, italian, latvian, lithuanian, lovins, none, norwegian, persian, polish, porter, portuguese, romanian, russian, sorani, spanish, swedish, thai, turkish, ukrainian, also written `_russian_`; or the words themselves, an array of up to 1000 or a text separated by commas. Independent of `stemmer`.; default `"english"` */
        stopwords?: string | string[] | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'index_exists' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Write a document, in place of the one of the same code
     * A body has up to 1 MB; a document that is larger as JSON, for its escapes, goes into a bulk.
     */
    '/document': {
      params: {
        /** Identity of the document in its index, up to 255 characters */
        code: string
        /** With the title at most 1 000 000 bytes of UTF-8 */
        text: string
        /** Weighs more than the text */
        title?: string | undefined
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        index: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'index_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured' | 'index_full'
    }
    /**
     * Write up to 1000 documents
     * Where one is not valid, or has more than a megabyte, none is written. Of several with the same code only the last is written. What one shard gets is one transaction: where a shard fails, what others got is written, and a repeat is safe. A body has up to 30 MB.
     */
    '/documents': {
      params: {
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        index: string
        /** Each with `code` and `text`, and a `title` where it has one */
        documents: {
          /** Identity of the document in its index, up to 255 characters */
          code: string
          /** With the title at most 1 000 000 bytes of UTF-8 */
          text: string
          /** Weighs more than the text */
          title?: string | undefined
        }[]
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'index_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured' | 'index_full'
    }
  }
  delete: {
    /**
     * Delete an index and all its documents
     * Its storage is empty when this is answered.
     */
    '/index': {
      params: {
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        name: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'index_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Delete a document */
    '/document': {
      params: {
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        index: string
        /** Identity of the document in its index, up to 255 characters */
        code: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'document_not_found' | 'index_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /** Read the settings of an index, and how large it is */
    '/index': {
      params: {
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        name: string
      }
      reply: {
        index: {
          /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
          name: string
          shards: number
          documents: number
          /** On disk */
          bytes: number
          /** Time in UTC */
          created_at: string
          stemmer: string
          stopwords: string | string[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'index_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** List the indexes by name */
    '/indexes': {
      params: {
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        indexes: {
          /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
          name: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read a document */
    '/document': {
      params: {
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        index: string
        /** Identity of the document in its index, up to 255 characters */
        code: string
      }
      reply: {
        document: {
          /** Identity of the document in its index, up to 255 characters */
          code: string
          /** Absent where it has none */
          title?: string
          text: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'document_not_found' | 'index_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Search, the best first
     * Documents of the same rank come in the order in which they were first written. A page ends early at 8 MB of documents, or of highlights; `has_more` tells.
     */
    '/documents': {
      params: {
        /** Name of the index: a-z, 0-9 and _, a letter first, up to 48 characters */
        index: string
        /** Query, up to 10 000 characters. `-word` and `-"some words"` exclude documents; a query that only excludes finds nothing. */
        search: string
        /** How many to skip; with `size` at most 10 000; default `0` */
        from?: number | undefined
        /** How many to return, up to 1000; default `50` */
        size?: number | undefined
        /** Adds `highlight` to each document; default `false` */
        highlight?: boolean | undefined
        /** Adds `score` to each document; default `false` */
        score?: boolean | undefined
        /** Adds `nb_results`, the number of all that match; default `false` */
        count?: boolean | undefined
      }
      reply: {
        documents: {
          /** Identity of the document in its index, up to 255 characters */
          code: string
          /** Absent where it has none */
          title?: string
          text: string
          /** The higher, the better; comparable in one reply only */
          score?: number
          highlight?: {
            /** The text as HTML, what was found in `<mark>` */
            title?: string
            /** The text as HTML, what was found in `<mark>` */
            text: string
          }
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page was cut at 8 MB before it reached `limit`: more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'index_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Try it: results at each letter */
    '/_example': {
      params: None
      reply: Response
      errors: 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
}
