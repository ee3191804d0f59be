// The catcher's entry in the list of components: its name, title, summary and paths.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'catcher',
  title: 'Catcher',
  summary: 'Request catcher: stores any request and shows it, for tests and for debugging webhooks',
  group: 'Work and payments',
  consoleLink: '/_requests_/ui',
  ownPaths: ['/_requests_', '/_last_request_'],
  queueWorker: false,
  repeats: { harmless: ['POST /_requests_/verify'] },
} satisfies Manifest
