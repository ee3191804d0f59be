import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'signature',
  title: 'Signatures',
  summary:
    'Signatures of documents, CMS or XML, in versions without lost updates: who has signed, whether it is valid, lists by tags',
  group: 'Files and records',
  docs: ['signature', 'signature-formats'],
  repeats: {
    harmless: ['POST /signature/verify'],
  },
} satisfies Manifest
