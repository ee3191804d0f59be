import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const email = api<Env>({
  name: 'email',
  title: 'Email',
  description: 'Sends mail through an SMTP server.',
})
