// Metadata of the component `sms`, as plain data: the gateway, the queue, the console and the scripts read it.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'sms',
  title: 'Messages',
  summary: 'SMS and calls through smsc.ru, Twilio, Vonage or any HTTP gateway; failover, receipts, a blacklist',
  group: 'Messages',
  docs: ['sms', 'sms-providers'],
  page: 'messages',
  variablePrefixes: ['PROVIDER_A_', 'PROVIDER_B_', 'PROVIDER_C_', 'PROVIDER_D_'],
  repeats: {
    harmless: ['POST /blacklist', 'POST /blacklist/search', 'POST /messages'],
  },
} satisfies Manifest
