// Metadata of the component `email`, as plain data: the gateway, the queue, the console and the scripts read it.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'email',
  title: 'Messages',
  summary: 'Mail through an SMTP server: text and HTML, attachments, DKIM, no duplicates with an idempotency key',
  group: 'Messages',
  page: 'messages',
  repeats: { harmless: ['POST /messages'] },
} satisfies Manifest
