import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'catcher',
  title: 'Catcher',
  summary: 'Catches any request and shows it: for tests, and for looking at webhooks',
  group: 'Work and payments',
  ownPaths: ['/_requests_', '/_last_request_'],
  queueWorker: false,
} satisfies Manifest
