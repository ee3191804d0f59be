import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'pdf',
  title: 'PDF',
  summary:
    'PDF from HTML or from a link, printed by Chromium: print CSS, page numbers, any language; pages can load only public addresses',
  group: 'Files and records',
  repeats: {
    harmless: ['POST /pdf'],
  },
} satisfies Manifest
