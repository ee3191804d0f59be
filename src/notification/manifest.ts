// Metadata of the component `notification`, as plain data: the gateway, the queue, the console and the scripts read it.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'notification',
  title: 'Notifications',
  summary: 'Templates of notifications by code: Liquid, a text for each locale, preview; sent by email, SMS and feed',
  group: 'Messages',
  // The queue sends to servers of others: a limit for each flow key keeps a slow server from delaying the rest.
  queueWorker: { daemons: 16, keyConcurrency: 4 },
  repeats: {
    harmless: ['POST /notifications', 'POST /notification/preview'],
  },
} satisfies Manifest
