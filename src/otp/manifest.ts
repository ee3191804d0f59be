import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'otp',
  title: 'One-time passwords',
  summary: 'One-time passwords by SMS, call, email and bot; limits and attempts that are exact under load',
  group: 'Messages',
  // The queue sends to servers of others: a limit for each flow key keeps a slow server from delaying the rest.
  queueWorker: { daemons: 16, keyConcurrency: 4 },
} satisfies Manifest
