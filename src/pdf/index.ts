import * as z from 'zod'
import { api } from '#core/http/api'
import { reply } from '#core/http/reply'
import type { Env } from './bindings.ts'
import { containerOf, probeContainer } from './container.ts'
import { DocumentOf, mostBytes, PdfRequest, Posted, StoredReply } from './contract.ts'
import { printToStore, serveDocument, serveStored } from './documents.ts'
import { errors } from './errors.ts'
import { posted, requested } from './protocol.ts'
import { deleteDocument } from './store.ts'

/** The error codes of printing. */
const printErrors = ['browser_failed', 'browser_timeout', 'link_failed', 'pdf_too_large', 'unavailable'] as const

const document = { params: PdfRequest, bodyLimit: mostBytes, produces: 'application/pdf', errors: printErrors } as const

export const pdf = api<Env, keyof typeof errors>({
  name: 'pdf',
  errors,
  title: 'PDF',
  description: `A PDF from HTML, or from a link that returns HTML, printed by Chromium: with its scripts, fonts, pictures and print CSS. \
What it loads comes from public addresses only.`,
  exposes: ['Content-Disposition'],
  probes: (env) => {
    const container = containerOf(env)
    return {
      storage: () => env.CACHE.head('_health'),
      ...(container && { container: () => probeContainer(container) }),
    }
  },
})
  .get('/pdf', { ...document, ...requested, summary: 'Print HTML, or a link, as PDF' }, ({ env, request, params }) =>
    serveDocument(env, request, params),
  )

  .post(
    '/pdf',
    {
      params: Posted,
      bodyLimit: mostBytes,
      produces: 'application/pdf',
      errors: printErrors,
      ...posted,
      summary: 'Print HTML, or a link, as PDF, with long parameters',
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
      summary: 'Download a stored PDF',
      description: '404 `document_not_found` until it is printed, and after it has expired.',
      params: DocumentOf,
      produces: 'application/pdf',
      errors: ['document_not_found'],
    },
    ({ env, request, params }) => serveStored(env, request, params.name),
  )

  .delete(
    '/document',
    { summary: 'Delete a stored PDF', params: DocumentOf, errors: ['document_not_found'] },
    ({ env, params }) => deleteDocument(env, params.name),
  )

export type PdfApi = typeof pdf
