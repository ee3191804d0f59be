import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'queue',
  title: 'Queue',
  summary:
    'Makes HTTP requests at a chosen time: tasks, ranges in pieces, schedules; each worker serial and durable, with retries',
  group: 'Work and payments',
  queueWorker: false,
  repeats: {
    harmless: ['POST /worker/pause', 'POST /worker/resume'],
  },
} satisfies Manifest
