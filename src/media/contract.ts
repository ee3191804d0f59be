import * as z from 'zod'
import { paging } from '#core/http/fields'
import { Time } from '#core/http/time'
import { itemKinds } from './contract/uploads.ts'
import { formats } from './engines/engine.ts'
import { type Item, videoFailures } from './items.ts'

/** Letters and digits, and what a configured prefix may have besides. */
const Digest = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'Must be a digest: 1 to 100 letters, digits, dots, hyphens and underscores')

/** The body of an upload. */
export const Form = z.object({
  file: z.file(),
  scope: z.string().optional().describe('A name in UPLOAD_SCOPES, whose limits then apply'),
})

export const OfDigest = z.object({ digest: Digest })

const side = z.int().min(1).optional()
const mode = z
  .enum(['r', 'c'])
  .default('r')
  .describe('`r` fits the picture inside w x h, `c` covers that and cuts the rest off')

const size = {
  w: side.describe("Width in pixels; unbounded, or with `c` the picture's own, unless given"),
  h: side.describe('Height in pixels, alike'),
  m: mode,
}

export const Thumbnail = z.object({
  digest: Digest,
  ...size,
  f: z
    .enum([...formats, 'jpg'])
    .optional()
    .describe("The format; else WebP or AVIF where `Accept` names it, else the picture's own"),
})
export type Thumbnail = z.infer<typeof Thumbnail>

export const PreviewRequest = z.object({
  digest: Digest,
  ...size,
  t: z
    .number()
    .min(0)
    .optional()
    .describe('The second of the video; one near its beginning that is not black unless given'),
})
export type PreviewRequest = z.infer<typeof PreviewRequest>

export const Rotation = z.object({
  digest: Digest,
  d: z.int().multipleOf(90, 'Must be a multiple of 90').describe('Degrees clockwise'),
})

const start = z.int().min(0)
const extent = z.int().min(1)

export const Crop = z.object({
  digest: Digest,
  x: start.describe('Pixels from the left, of the picture as it is shown'),
  y: start.describe('Pixels from the top'),
  w: extent.describe('Pixels to the right of x'),
  h: extent.describe('Pixels downward from y'),
})

export const NewVideo = z.object({
  wait: z.boolean().default(false).describe('Answers when the video is ready, or after a minute'),
})

const place = /^(\d{1,14})\.([\w.-]{1,100})$/

/** Where a page of items has ended: the time of its last one in milliseconds, and its digest. */
const Place = z.codec(
  z.string().regex(place, 'Must be the `next` of a page'),
  z.object({ created_at: z.date(), digest: z.string() }),
  {
    decode: (text) => {
      const [, at = '', digest = ''] = place.exec(text) ?? []
      return { created_at: new Date(Number(at)), digest }
    },
    encode: ({ created_at, digest }) => `${created_at.getTime()}.${digest}`,
  },
)
export type Place = z.output<typeof Place>

export const ItemsOf = z.object({
  kind: z.enum(itemKinds).optional().describe('Items of this kind alone'),
  before: Place.optional().describe('Cursor: `next` of the previous page'),
  limit: paging().limit,
})
export type ItemsOf = z.output<typeof ItemsOf>

const url = z.url()

/** What all items have; their keys stand beside `status`. */
const described = {
  digest: Digest.describe('Names the item from now on'),
  name: z.string().describe("The file's name without its last extension"),
  extension: z.string(),
  mimetype: z.string().describe("By the bytes; the client's word decides between kinds of text only"),
  size: z.int().describe('Bytes'),
  download: url,
}

const pixels = z.int().nullable()
const duration = z
  .string()
  .nullable()
  .describe('Seconds, with at most three decimals; null while it is not known')
  .meta({ examples: ['12.48'] })

export const FileReply = described

export const ImageReply = {
  ...described,
  thumbnail: url,
  width: z.int().describe('Pixels, of the picture as it is shown'),
  height: z.int(),
}

export const VideoReply = {
  ...described,
  preview: url,
  duration,
  state: z.enum(['processing', 'ready', 'failed']),
  progress: z.number().min(0).max(1),
  failure: z.enum(videoFailures).nullable().describe('Why the video has failed'),
  width: pixels,
  height: pixels,
}

export const AudioReply = { ...described, duration }

const { state, progress, failure } = VideoReply

const ListedItem = z.object({
  ...described,
  kind: z.enum(itemKinds),
  created_at: Time,
  width: pixels.describe('Of images and videos'),
  height: pixels,
  duration,
  state: state.describe('Anything but a video is always ready'),
  progress: progress
    .nullable()
    .describe('Null while a video is processed: GET /video/{digest}/info says how far it is'),
  failure,
  thumbnail: url.optional().describe('Of an image'),
  preview: url.optional().describe('Of a video'),
})

export const ItemsReply = {
  items: z.array(ListedItem),
  next: Place.optional().describe('For `before` of the next page; there is none where no more items are'),
}

const shown = ({ digest, name, extension, mimetype, size }: Item) => ({ digest, name, extension, mimetype, size })

const secondsOf = ({ duration }: Item) => (duration === null ? null : String(Number(duration.toFixed(3))))

export const fileReply = (item: Item, base: string) => ({ ...shown(item), download: `${base}/file/${item.digest}` })

export const imageReply = (item: Item, base: string) => ({
  ...fileReply(item, base),
  thumbnail: `${base}/image/${item.digest}`,
  // No image is stored before its size is known.
  width: item.width!,
  height: item.height!,
})

export const videoReply = ({ item, progress }: { item: Item; progress: number }, base: string) => ({
  ...shown(item),
  download: `${base}/video/${item.digest}`,
  preview: `${base}/video/${item.digest}/preview`,
  duration: secondsOf(item),
  state: item.state,
  progress,
  failure: item.failure,
  width: item.width,
  height: item.height,
})

export const audioReply = (item: Item, base: string) => ({
  ...shown(item),
  download: `${base}/audio/${item.digest}`,
  duration: secondsOf(item),
})

/** An item in a list, with the addresses that the description of its kind has. */
export const listedItem = (item: Item, base: string): z.output<typeof ListedItem> => ({
  ...shown(item),
  ...addressesOf(item, base),
  kind: item.kind,
  created_at: item.created_at,
  width: item.width,
  height: item.height,
  duration: secondsOf(item),
  state: item.state,
  progress: { processing: null, ready: 1, failed: 0 }[item.state],
  failure: item.failure,
})

function addressesOf({ kind, digest }: Item, base: string) {
  const own = `${base}/${kind}/${digest}`
  if (kind === 'image') return { download: `${base}/file/${digest}`, thumbnail: own }
  return kind === 'video' ? { download: own, preview: `${own}/preview` } : { download: own }
}
