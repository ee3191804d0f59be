// Facts about the media component for the gateway, the console, the generated client and the scripts: title, summary, and
// operations that may be repeated.
import type { Manifest } from '#core/manifest'

export const manifest = {
  name: 'media',
  title: 'Media',
  summary:
    'Files, images, videos and audio: resumable uploads of any size, thumbnails, rotating and cropping, mp4 from any video, downloads by range',
  group: 'Files and records',
  repeats: {
    harmless: ['POST /video/{digest}/preview'],
  },
} satisfies Manifest
