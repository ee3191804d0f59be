// Statuses and headers of the replies of GET and POST /pdf, for the OpenAPI document.
import type { DescribedReply, RequestHeader } from '#core/http/declaration'

const printHeaders = {
  'Content-Disposition': '`inline`, with `filename`',
  'Content-Length': 'Size of the PDF in bytes',
  'Cache-Control':
    '`no-store` without a cache; with PDF_CACHE_TTL, `private` and the seconds for which the document stays cached',
  ETag: 'Version of the document, if it is cached',
}

const retryAfter = { 'Retry-After': 'Seconds to wait before a retry' }

const printReplies: Record<number, DescribedReply> = {
  200: { description: 'The PDF', headers: printHeaders },
  413: { description: '`payload_too_large`: the body has more than 16 MB', refusal: true },
  422: { description: '`pdf_too_large`: the PDF has more than 100 MB', refusal: true },
  502: {
    description:
      '`link_failed`: the link cannot be reached, or its reply is not 2xx or not HTML; `browser_failed`: the document makes the browser crash',
    refusal: true,
  },
  503: { description: '`unavailable`: the browser is down, starting or busy', headers: retryAfter, refusal: true },
  504: { description: '`browser_timeout`: the document was not printed within 30 seconds', refusal: true },
}

/** Replies of POST /pdf. */
export const postDocs: { replies: Record<number, DescribedReply> } = {
  replies: {
    ...printReplies,
    201: {
      description:
        'Document stored (with `store`): JSON in which `content.document` has `name`, `filename`, `size` in bytes and `expires_at`',
    },
  },
}

/** Request headers and replies of GET /pdf. */
export const getDocs: { headers: Record<string, RequestHeader>; replies: Record<number, DescribedReply> } = {
  headers: { 'If-None-Match': { description: '`ETag` of a document that the client has' } },
  replies: {
    ...printReplies,
    304: {
      description: 'Not modified: the cached document has the `ETag` in `If-None-Match`',
      headers: { ETag: printHeaders.ETag },
    },
  },
}
