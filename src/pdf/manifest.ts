// Facts about the PDF component that the rest of the repository uses.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'pdf',
  title: 'PDF',
  summary:
    'HTML, or the page that a link returns, printed as PDF by Chromium: print CSS, page numbers, headers and footers, any language',
  group: 'Files and records',
  repeats: {
    harmless: ['POST /pdf'],
  },
} satisfies Manifest
