import type { DescribedReply, RequestHeader } from '#core/http/declaration'

// What travels in statuses and headers.

const described = {
  'Content-Disposition': '`inline`, with the name',
  'Content-Length': 'Bytes',
  'Cache-Control': '`no-store`, or `private` and for how long the document is kept',
  ETag: 'Of these bytes, where they are kept',
}

const retryAfter = { 'Retry-After': 'Seconds' }

const answers: Record<number, DescribedReply> = {
  200: { description: 'The document', headers: described },
  413: { description: '`payload_too_large`: the body', refusal: true },
  422: { description: '`pdf_too_large`: what comes of it', refusal: true },
  502: {
    description:
      '`link_failed`: the link cannot be reached, its answer is not 2xx or not HTML; `browser_failed`: the document makes the browser crash',
    refusal: true,
  },
  503: { description: '`unavailable`: the browser is down, or has no room', headers: retryAfter, refusal: true },
  504: { description: '`browser_timeout`: not done in 30 seconds', refusal: true },
}

/** What a POST is answered with. */
export const posted: { replies: Record<number, DescribedReply> } = {
  replies: {
    ...answers,
    201: {
      description: 'With `store`: JSON, `content.document` has `name`, `filename`, `size` in bytes and `expires_at`',
    },
  },
}

/** What a GET may be asked, and is answered with; a HEAD has nothing printed. */
export const requested: { headers: Record<string, RequestHeader>; replies: Record<number, DescribedReply> } = {
  headers: { 'If-None-Match': { description: 'An `ETag`' } },
  replies: {
    ...answers,
    304: { description: 'It is what `If-None-Match` names', headers: { ETag: described.ETag } },
  },
}
