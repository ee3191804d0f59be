import { ping } from '#core/db/open'
import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const payment = api<Env>({
  name: 'payment',
  title: 'Payments',
  description: 'Card payments through a processor, and their webhooks to the operator.',
  probes: (env) => ({ database: async () => ping(env) }),
})

export type PaymentApi = typeof payment
