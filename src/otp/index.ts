import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const otp = api<Env>({
  name: 'otp',
  title: 'One-time passwords',
  description: 'Sends one-time passwords by SMS, call, email and chat, limits how often, and checks them.',
})
