import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const pdf = api<Env>({
  name: 'pdf',
  title: 'PDF',
  description: 'A PDF from HTML, or from a link that returns HTML.',
})

export type PdfApi = typeof pdf
