// Sends random requests to the API of one-time passwords: each must get a valid reply of the API, never a 500.
import { describe } from 'vitest'
import { otp } from '#otp/index'
import { fuzz } from '../support/fuzz.ts'
import type { Fetch } from '../support/requests.ts'
import { otps } from './support.ts'

/** Hides the result of checks from the fuzz test: a wrong password gets 200 with `status: false`, which is no error. */
const withoutVerdict =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init)
    if (!response.ok || !new URL(url).pathname.endsWith('/check')) return response
    return Response.json({ ...((await response.json()) as object), status: true })
  }

describe.each(otps())('one-time passwords on $dialect', ({ fetch }) => {
  fuzz(withoutVerdict(fetch), otp, {
    ip: ['203.0.113.7', '2001:db8::1'],
    phone: ['77011234567', '+7 701 123 45 68'],
    email: ['ann@example.com', 'боб@пример.рф'],
    chat_id: ['1', 2, -3, '@channel'],
    password: ['1234', '000000', 'пароль'],
    lifetime: [1, 300, '86400'],
    message: ['Your code'],
    subject: ['Your code'],
    text: ['Your code'],
    html: ['<p>Your code</p>'],
    ips: [[], [{ minutes: 1, rate: 10_000 }], [{ minutes: '1', rate: 9_999, more: 1 }]],
    phones: [[], [{ minutes: 60, rate: 10_000 }]],
    emails: [[], [{ minutes: 60, rate: 10_000 }]],
    chats: [[], [{ minutes: 60, rate: 10_000 }]],
    channel: ['sms', 'call', 'email', 'chatapp'],
    target: ['77011234567', 'ann@example.com', '1'],
    expires_at: [0, 9e12],
  })
})

describe.each(otps({ CHATAPP_WEBHOOK_SECRET: 'the-webhook-secret' }))('the webhook on $dialect', ({ withHeaders }) => {
  const proven = withHeaders({ 'x-telegram-bot-api-secret-token': 'the-webhook-secret' })
  const webhook = otp.endpoints.filter(({ path }) => path === '/chatapp/webhook')
  fuzz(proven, { endpoints: webhook.map((endpoint) => ({ ...endpoint, params: undefined as never })) }, {})
})
