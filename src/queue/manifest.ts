// The queue's entry in the list of components: its name, title and summary, and settings that the rest of the project reads.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'queue',
  title: 'Queue',
  summary:
    'Task queue: sends HTTP requests now, later, on a schedule or for each piece of a range, durably and with retries',
  group: 'Work and payments',
  bindable: ['worker'],
  queueWorker: false,
  generatedSecrets: ['QUEUE_SIGNING_KEY'],
  repeats: {
    harmless: ['POST /worker/pause', 'POST /worker/resume', 'POST /schedule/pause', 'POST /schedule/resume'],
  },
} satisfies Manifest
