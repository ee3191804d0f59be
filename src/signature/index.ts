import { ping } from '#core/db/open'
import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const signature = api<Env>({
  name: 'signature',
  title: 'Signature store',
  description: 'Signed data (CMS or XML) of documents, in versions.',
  probes: (env) => ({ database: async () => ping(env) }),
})

export type SignatureApi = typeof signature
