// The bus's entry in the list of components: its name, title and summary, and settings that the rest of the project reads.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'bus',
  title: 'Bus',
  summary:
    'Integration bus: users send documents to private APIs and wait for the answer, get it by webhook, or store documents for others to fetch; instances share their configuration',
  group: 'Work and payments',
  secretHeader: 'Api-Secret',
  bindable: ['collection'],
  // Calls go to servers of third parties: the limit per flow key keeps a slow server from delaying the others. A collection has a
  // flow key for each delivery that may run at a time: see `tasks.ts`.
  queueWorker: { daemons: 32, keyConcurrency: 1 },
  repeats: {
    harmless: ['POST /access'],
    keys: { 'POST /document': 'uuid' },
  },
} satisfies Manifest
