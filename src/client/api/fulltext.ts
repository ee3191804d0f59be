// Types of the operations of fulltext, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Fulltext {
  post: {
    /**
     * Create an index
     * Creates an empty index. The index accepts documents as soon as this call returns. Its settings cannot be changed later. Returns 409 `index_exists` if the name is taken, and 400 `validation_failed` if a setting is not valid.
     */
    '/index': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        name: string
        /** Number of shards that the documents are spread over, 1 to 16, by default 1. It cannot be changed later. Each shard holds up to 9.5 GB; default `1` */
        shards?: number | undefined
        /** Stemmer that removes word endings, by default `english`: one of armenian, basque, catalan, czech, danish, dutch, dutch_porter, english, esperanto, estonian, finnish, french, german, greek, hindi, hungarian, indonesian, irish, italian, lithuanian, lovins, nepali, none, norwegian, persian, polish, porter, portuguese, romanian, russian, serbian, spanish, swedish, turkish, yiddish. `_russian_` is accepted for `russian`; default `"english"` */
        stemmer?: string | undefined
        /** Words that a query ignores, by default `english`: the name of a list, one of arabic, armenian, basque, bengali, brazilian, bulgarian, catalan, czech, danish, dutch, dutch_porter, english, estonian, finnish, french, galician, german, greek, hindi, hungarian, indonesian, irish, italian, latvian, lithuanian, lovins, none, norwegian, persian, polish, porter, portuguese, romanian, russian, sorani, spanish, swedish, thai, turkish, ukrainian (`_russian_` is accepted for `russian`); or up to 1000 words of up to 64 characters, as an array or separated by commas. Independent of `stemmer`.; default `"english"` */
        stopwords?: string | string[] | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'index_exists' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Create or replace a document
     * Writes a document, and replaces the one with the same `code`. Searches find the document as soon as this call returns. Title and text together have up to 1 000 000 bytes of UTF-8, else the reply is 413 `payload_too_large`. The request body has up to 1 MB; write a document whose JSON is larger, because of escapes, with `POST /documents`. 404 `index_not_found` if the index does not exist, 503 `index_full` if the shard of the document has 9.5 GB.
     */
    '/document': {
      params: {
        /** Id of the document, unique in its index, 1 to 255 characters */
        code: string
        /** Text of the document. Title and text together have up to 1 000 000 bytes of UTF-8 */
        text: string
        /** Title: each of its words counts three times as much as one of the text. Title and text together have up to 1 000 000 bytes of UTF-8 */
        title?: string | undefined
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        index: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'index_full'
    }
    /**
     * Create or replace up to 1000 documents
     * Writes documents, and replaces those with the same codes. If one document is not valid or too large, none is written. If documents of the request share a code, the last one is written. Each shard writes its documents in one transaction; if a shard fails, the documents of the other shards stay written, and you can safely repeat the request. The request body has up to 30 MB. 413 `payload_too_large` if a document or the body is too large, 503 `index_full` if a shard has 9.5 GB.
     */
    '/documents': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        index: string
        /** 1 to 1000 documents, each with `code`, `text` and optionally `title` */
        documents: {
          /** Id of the document, unique in its index, 1 to 255 characters */
          code: string
          /** Text of the document. Title and text together have up to 1 000 000 bytes of UTF-8 */
          text: string
          /** Title: each of its words counts three times as much as one of the text. Title and text together have up to 1 000 000 bytes of UTF-8 */
          title?: string | undefined
        }[]
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'index_full'
    }
    /**
     * Get a document
     * Returns a document by its code. 404 `index_not_found` if the index does not exist, 404 `document_not_found` if it has no such document. The same as `GET /document`, with the parameters in the body, so that no URL has them.
     */
    '/document/search': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        index: string
        /** Id of the document, unique in its index, 1 to 255 characters */
        code: string
      }
      reply: {
        /** The document */
        document: {
          /** Id of the document, unique in its index, 1 to 255 characters */
          code: string
          /** Title, if the document has one */
          title?: string
          /** Text of the document */
          text: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'document_not_found' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Search documents
     * Returns the documents that match a query, the best first. Documents with equal scores come in the order in which they were first written. A page ends early at 8 MB of documents or of highlights; `has_more` is then true. The same as `GET /documents`, with the parameters in the body, so that no URL has them.
     */
    '/documents/search': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        index: string
        /** Query, 1 to 10 000 characters. `-word` and `-"some words"` exclude documents that have these words; a query that only excludes finds nothing. */
        search: string
        /** Number of results to skip, by default 0. `from` and `size` together are at most 10 000; default `0` */
        from?: number | undefined
        /** Maximum number of results to return, 0 to 1000, by default 50; default `50` */
        size?: number | undefined
        /** Add `highlight` to each document, by default false; default `false` */
        highlight?: boolean | undefined
        /** Add `score` to each document, by default false; default `false` */
        score?: boolean | undefined
        /** Add `nb_results`, the number of all documents that match, by default false; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** A page of the documents that match, the best first */
        documents: {
          /** Id of the document, unique in its index, 1 to 255 characters */
          code: string
          /** Title, if the document has one */
          title?: string
          /** Text of the document */
          text: string
          /** Relevance of the document, if `score` is true: higher is better. Compare scores within one reply only */
          score?: number
          /** Texts of the document as escaped HTML, with the words that match in `<mark>`, if `highlight` is true. Of a word that matches as a prefix, only the prefix is marked */
          highlight?: {
            /** The title as escaped HTML, with the words that match in `<mark>` */
            title?: string
            /** The text as escaped HTML, with the words that match in `<mark>` */
            text: string
          }
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  delete: {
    /**
     * Delete an index and its documents
     * Deletes the index and all its documents, which cannot be undone. Their storage is empty when this call returns, and the name can be used again.
     */
    '/index': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        name: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete a document
     * Deletes a document by its code. Searches no longer find it when this call returns; its title and text leave the disk within about a minute, its words when the index files are merged. 404 `document_not_found` if the index has no such document.
     */
    '/document': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        index: string
        /** Id of the document, unique in its index, 1 to 255 characters */
        code: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'document_not_found' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * Get an index
     * Returns the settings of an index, the number of its documents and its size on disk in bytes.
     */
    '/index': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        name: string
      }
      reply: {
        /** Settings and size of the index */
        index: {
          /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
          name: string
          /** Number of shards, 1 to 16 */
          shards: number
          /** Number of documents */
          documents: number
          /** Size on disk in bytes, of all shards */
          bytes: number
          /** Time when the index was created, in UTC */
          created_at: string
          /** Name of the stemmer, or `none` */
          stemmer: string
          /** Name of the list of stop words, `none`, or the words themselves */
          stopwords: string | string[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List indexes
     * Returns the names of all indexes, sorted by name, one page at a time. `GET /index` returns the settings and size of one of them.
     */
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
        /** A page of indexes, sorted by name */
        indexes: {
          /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
          name: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a document
     * Returns a document by its code. 404 `index_not_found` if the index does not exist, 404 `document_not_found` if it has no such document. A URL may be stored in logs and histories: `POST /document/search` takes the same parameters in the body.
     */
    '/document': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        index: string
        /** Id of the document, unique in its index, 1 to 255 characters */
        code: string
      }
      reply: {
        /** The document */
        document: {
          /** Id of the document, unique in its index, 1 to 255 characters */
          code: string
          /** Title, if the document has one */
          title?: string
          /** Text of the document */
          text: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'document_not_found' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Search documents
     * Returns the documents that match a query, the best first. Documents with equal scores come in the order in which they were first written. A page ends early at 8 MB of documents or of highlights; `has_more` is then true. A URL may be stored in logs and histories: `POST /documents/search` takes the same parameters in the body.
     */
    '/documents': {
      params: {
        /** Name of the index: 1 to 48 characters of a-z, 0-9 and _, beginning with a letter */
        index: string
        /** Query, 1 to 10 000 characters. `-word` and `-"some words"` exclude documents that have these words; a query that only excludes finds nothing. */
        search: string
        /** Number of results to skip, by default 0. `from` and `size` together are at most 10 000; default `0` */
        from?: number | undefined
        /** Maximum number of results to return, 0 to 1000, by default 50; default `50` */
        size?: number | undefined
        /** Add `highlight` to each document, by default false; default `false` */
        highlight?: boolean | undefined
        /** Add `score` to each document, by default false; default `false` */
        score?: boolean | undefined
        /** Add `nb_results`, the number of all documents that match, by default false; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** A page of the documents that match, the best first */
        documents: {
          /** Id of the document, unique in its index, 1 to 255 characters */
          code: string
          /** Title, if the document has one */
          title?: string
          /** Text of the document */
          text: string
          /** Relevance of the document, if `score` is true: higher is better. Compare scores within one reply only */
          score?: number
          /** Texts of the document as escaped HTML, with the words that match in `<mark>`, if `highlight` is true. Of a word that matches as a prefix, only the prefix is marked */
          highlight?: {
            /** The title as escaped HTML, with the words that match in `<mark>` */
            title?: string
            /** The text as escaped HTML, with the words that match in `<mark>` */
            text: string
          }
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'index_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Open the example page
     * An HTML page that shows search results while you type, and can write sample documents to an index.
     */
    '/_example': {
      params: None
      reply: Response
      errors: 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
}
