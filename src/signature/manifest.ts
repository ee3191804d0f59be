// The signature store's entry in the list of components: its name, title, summary and pages in the guide.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'signature',
  title: 'Signatures',
  summary:
    'Signatures of documents in CMS or XML: signers, verification, versions with optimistic locking, lists by tag',
  group: 'Files and records',
  docs: ['signature', 'signature-formats'],
  repeats: {
    harmless: ['POST /signature/verify'],
  },
} satisfies Manifest
