// Metadata of the component `feed`, as plain data: the gateway, the queue, the console and the scripts read it.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'feed',
  title: 'Feed',
  summary: 'Notification and news feeds: records for a recipient, filters, search, read flags, live streams',
  group: 'Files and records',
  bindable: ['collection', 'recipient'],
  repeats: {
    harmless: [
      'POST /collection',
      'POST /record/read',
      'POST /record/unread',
      'POST /records/count',
      'POST /records/search',
      'POST /stream/token',
    ],
  },
} satisfies Manifest
