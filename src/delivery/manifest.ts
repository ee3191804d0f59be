// Metadata of the component `delivery`, as plain data: the gateway, the queue, the console and the scripts read it.
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
