// Metadata of the component `access`, as plain data: the gateway, the console and the scripts read it.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'access',
  title: 'Access',
  summary: 'Keys with scopes, short-lived tokens for browsers, rate limits and an audit log',
  group: 'Administration',
  // The component needs no queue worker: see `queueWorker` in src/core/manifest.ts.
  queueWorker: false,
} satisfies Manifest
