import { api } from '#core/http/api'
import { containerOf, probeContainer } from './container.ts'
import { Asked, mostBytes } from './contract.ts'
import { serveDocument } from './documents.ts'
import type { Env } from './env.ts'
import { posted, requested } from './protocol.ts'

const document = { params: Asked, bodyLimit: mostBytes, produces: 'application/pdf' } as const

export const pdf = api<Env>({
  name: 'pdf',
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
    { ...document, ...posted, summary: 'Print HTML, or a link, as PDF, with long parameters' },
    ({ env, request, params }) => serveDocument(env, request, params),
  )

export type PdfApi = typeof pdf
