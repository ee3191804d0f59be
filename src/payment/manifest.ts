import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'payment',
  title: 'Payments',
  summary:
    'Card payments by the protocol of CloudPayments: check and pay notifications, a ledger, a signed webhook until the operator acknowledges it',
  group: 'Work and payments',
  docs: ['payment', 'payment-page'],
} satisfies Manifest
