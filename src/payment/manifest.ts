// The payment component's entry in the list of components: its name, title, summary and pages in the guide.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'payment',
  title: 'Payments',
  summary:
    'Card payments with the CloudPayments protocol: check and pay notifications, a list of payments, signed webhooks with retries',
  group: 'Work and payments',
  docs: ['payment', 'payment-page'],
  repeats: { harmless: ['POST /transactions'] },
} satisfies Manifest
