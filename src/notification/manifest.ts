// Metadata of the component `notification`, as plain data: the gateway, the queue, the console and the scripts read it.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'notification',
  title: 'Notifications',
  summary: 'Templates of notifications by code: Liquid, a text for each locale, preview; sent by email, SMS and feed',
  group: 'Messages',
  // The queue's tasks go to servers of others. A limit per flow key keeps a slow server from delaying the tasks for the rest.
  queueWorker: { daemons: 16, keyConcurrency: 4 },
  repeats: {
    harmless: ['POST /notifications', 'POST /notification/preview'],
  },
} satisfies Manifest
