import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'bus',
  title: 'Bus',
  summary:
    'Integration bus: users with secrets send documents to private APIs and wait, use the queue with a webhook, or leave them to be fetched; instances share their configuration',
  group: 'Work and payments',
  secretHeader: 'Api-Secret',
  // The queue sends to servers of others: a limit for each flow key keeps a slow server from delaying the rest.
  queueWorker: { daemons: 32, keyConcurrency: 2 },
  repeats: {
    harmless: ['POST /access'],
    keys: { 'POST /document': 'uuid' },
  },
} satisfies Manifest
