import { api } from '#core/http/api'
import type { Env } from './env.ts'

export const notification = api<Env>({
  name: 'notification',
  title: 'Notification templates',
  description:
    'Keeps templates of notifications, and sends them by email, SMS and feed in the language of who gets them.',
})
