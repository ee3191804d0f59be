import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'email',
  title: 'Messages',
  summary: 'Mail through an SMTP server: text and html, attachments, DKIM; one mail for each idempotency key',
  group: 'Messages',
  page: 'messages',
} satisfies Manifest
