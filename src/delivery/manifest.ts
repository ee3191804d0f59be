import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'delivery',
  title: 'Deliveries',
  summary:
    'Bulk delivery by email, SMS and feed to all recipients that a URL lists: a ledger that balances through crashes, pause, cancel, a rate',
  group: 'Messages',
  repeats: {
    harmless: ['POST /delivery/cancel', 'POST /delivery/pause', 'POST /delivery/resume'],
  },
} satisfies Manifest
