// Facts about the signature component for the gateway, the console, the generated client and the scripts: title, summary, pages of
// docs, and operations that may be repeated.
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
