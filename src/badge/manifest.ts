// Facts about the badge component, as plain data: the gateway, the queue, the console and the scripts read these.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'badge',
  title: 'Badges',
  summary: 'Badges by hierarchical names, with counters that cost the same for ten as for a million',
  group: 'Files and records',
  bindable: ['collection', 'user'],
  repeats: {
    harmless: ['POST /badges', 'POST /counters', 'POST /users'],
  },
} satisfies Manifest
