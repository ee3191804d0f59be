// The endpoints of the PDF API: print a document, and download or delete a stored one.
import * as z from 'zod'
import { api } from '#core/http/api'
import { reply } from '#core/http/reply'
import type { Env } from './bindings.ts'
import { containerOf, probeContainer } from './container.ts'
import { DocumentByName, maxBodyBytes, PdfRequest, PostRequest, StoredReply } from './contract.ts'
import { printToStore, serveDocument, serveStored } from './documents.ts'
import { errors } from './errors.ts'
import { getDocs, postDocs } from './protocol.ts'
import { deleteDocument } from './store.ts'

/** Error codes of the operations that print. */
const printErrors = ['browser_failed', 'browser_timeout', 'link_failed', 'pdf_too_large', 'unavailable'] as const

const document = {
  params: PdfRequest,
  bodyLimit: maxBodyBytes,
  produces: 'application/pdf',
  errors: printErrors,
} as const

export const pdf = api<Env, keyof typeof errors>({
  name: 'pdf',
  errors,
  title: 'PDF',
  description: `Prints HTML, or the page that a link returns, as PDF with Chromium. Scripts run, fonts and images load, and print CSS applies. \
A page can load only public addresses. Identical requests are served from a cache if PDF_CACHE_TTL is set.`,
  exposes: ['Content-Disposition'],
  probes: (env) => {
    const container = containerOf(env)
    return {
      storage: () => env.CACHE.head('_health'),
      ...(container && { container: () => probeContainer(container) }),
    }
  },
})
  .get(
    '/pdf',
    {
      level: 'read',
      ...document,
      tokenInQuery: true,
      ...getDocs,
      summary: 'Print a PDF',
      description: `Prints \`html\` or the page at \`html_link\`, and returns the PDF. Takes up to 30 seconds. A HEAD request validates the parameters \
without printing. Use POST if the parameters are too long for a query string.`,
    },
    ({ env, request, params }) => serveDocument(env, request, params),
  )

  .post(
    '/pdf',
    {
      level: 'write',
      params: PostRequest,
      bodyLimit: maxBodyBytes,
      produces: 'application/pdf',
      errors: printErrors,
      ...postDocs,
      summary: 'Print a PDF from a JSON body',
      description: `Prints \`html\` or the page at \`html_link\`, and returns the PDF. Takes up to 30 seconds. With \`store\`, the PDF is stored \
under that name and the reply is JSON: use this for callers that do not read the reply, such as the queue. The request body has up to 16 MB. \
422 \`pdf_too_large\` if the PDF has more than 100 MB.`,
    },
    async ({ env, request, params }) => {
      if (params.store === undefined) return serveDocument(env, request, params)
      const document = await printToStore(env, params, params.store)
      return reply({ status: true, content: z.encode(StoredReply, { document }) }, 201)
    },
  )

  .get(
    '/document',
    {
      level: 'read',
      summary: 'Download a stored PDF',
      description:
        'Returns the PDF that `POST /pdf` stored with `store`, with its file name in `Content-Disposition`. Returns 404 `document_not_found` until the document is printed, and after it has expired. A HEAD request returns the headers only.',
      params: DocumentByName,
      produces: 'application/pdf',
      tokenInQuery: true,
      errors: ['document_not_found'],
    },
    ({ env, request, params }) => serveStored(env, request, params.name),
  )

  .delete(
    '/document',
    {
      level: 'write',
      summary: 'Delete a stored PDF',
      description:
        'Deletes the PDF that `POST /pdf` stored with `store`, before it expires. 404 `document_not_found` if none is stored under the name.',
      params: DocumentByName,
      errors: ['document_not_found'],
    },
    ({ env, params }) => deleteDocument(env, params.name),
  )

export type PdfApi = typeof pdf
