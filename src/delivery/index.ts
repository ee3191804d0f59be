import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const delivery = api<Env>({
  name: 'delivery',
  title: 'Bulk delivery',
  description: 'Sends email, SMS and feed records to many, whose names come from a URL.',
})
