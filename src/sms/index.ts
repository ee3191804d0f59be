import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const sms = api<Env>({
  name: 'sms',
  title: 'SMS and calls',
  description: 'Sends text messages and robotic calls through one of four providers, and keeps a blacklist.',
})
