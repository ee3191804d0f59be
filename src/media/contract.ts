// Schemas of the parameters and replies of the media API, and the functions that turn items into replies.
import * as z from 'zod'
import { paging } from '#core/http/fields'
import { Time } from '#core/http/time'
import { itemKinds } from './contract/uploads.ts'
import { formats } from './engines/engine.ts'
import { type Item, videoFailures } from './items.ts'

/** A generated digest has letters and digits. Dots, hyphens and underscores may come from UPLOAD_DIGEST_PREFIX. */
const Digest = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'Must be a digest: 1 to 100 letters, digits, dots, hyphens and underscores')

const OwnDigest = Digest.describe(
  'Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location`',
)

/** The body of an upload by form. */
export const Form = z.object({
  file: z.file().describe('The file, with its name. Exactly one, at most UPLOAD_MAX_FILESIZE (100 MB by default)'),
  scope: z
    .string()
    .optional()
    .describe(
      'Name in UPLOAD_SCOPES, at most 1000 bytes. The limits of this scope replace the default limits of size and dimensions. Default: the default limits',
    ),
})

export const OfDigest = z.object({ digest: OwnDigest })

const side = z.int().min(1).optional()
const mode = z
  .enum(['r', 'c'])
  .default('r')
  .describe('Resize mode: `r` fits the whole image inside w x h, `c` fills w x h and crops the rest from the middle')

const size = {
  w: side.describe('Maximum width in pixels. Default: no limit with `r`, the width of the original with `c`'),
  h: side.describe('Maximum height in pixels. Default: no limit with `r`, the height of the original with `c`'),
  m: mode,
}

export const Thumbnail = z.object({
  digest: OwnDigest,
  ...size,
  f: z
    .enum([...formats, 'jpg'])
    .optional()
    .describe('Format of the thumbnail. Default: WebP or AVIF if `Accept` lists it, else the format of the image'),
})
export type Thumbnail = z.infer<typeof Thumbnail>

export const PreviewRequest = z.object({
  digest: OwnDigest,
  ...size,
  t: z
    .number()
    .min(0)
    .optional()
    .describe(
      'Time of the frame in seconds, below the duration of the video. Default: a frame near the beginning that is not black',
    ),
})
export type PreviewRequest = z.infer<typeof PreviewRequest>

export const Rotation = z.object({
  digest: OwnDigest,
  d: z
    .int()
    .multipleOf(90, 'Must be a multiple of 90')
    .describe('Degrees clockwise, a multiple of 90. Negative values rotate counterclockwise'),
})

const start = z.int().min(0)
const extent = z.int().min(1)

export const Crop = z.object({
  digest: OwnDigest,
  x: start.describe('Left edge of the crop, in pixels of the upright image, from 0'),
  y: start.describe('Top edge of the crop, in pixels of the upright image, from 0'),
  w: extent.describe('Width of the crop in pixels. x + w must not exceed the width of the image'),
  h: extent.describe('Height of the crop in pixels. y + h must not exceed the height of the image'),
})

export const NewVideo = z.object({
  wait: z
    .boolean()
    .default(false)
    .describe(
      'With `true`, the reply is sent when the video is `ready` or `failed`, after 60 seconds at the latest. Default: false, the reply is sent when the file is stored',
    ),
})

const cursorPattern = /^(\d{1,14})\.([\w.-]{1,100})$/

/**
 * Cursor of a page of items: the creation time of its last item in milliseconds, and the digest of that item, since several items
 * may have the same time.
 */
const ItemCursor = z.codec(
  z.string().regex(cursorPattern, 'Must be `next` of the previous page'),
  z.object({ created_at: z.date(), digest: z.string() }),
  {
    decode: (text) => {
      const [, at = '', digest = ''] = cursorPattern.exec(text) ?? []
      return { created_at: new Date(Number(at)), digest }
    },
    encode: ({ created_at, digest }) => `${created_at.getTime()}.${digest}`,
  },
)
export type ItemCursor = z.output<typeof ItemCursor>

export const ItemsOf = z.object({
  kind: z.enum(itemKinds).optional().describe('Returns only items of this kind. Default: all kinds'),
  before: ItemCursor.optional().describe('Exclusive cursor: `next` of the previous page. Default: the newest item'),
  limit: paging().limit.describe('Maximum number of items, from 1 to 1000. Default: 100'),
})
export type ItemsOf = z.output<typeof ItemsOf>

const url = z.url()

/** The properties that the reply about an item of any kind has. */
const described = {
  digest: Digest.describe('Random, unguessable id of the item. Anyone with the digest can download it'),
  name: z.string().describe('Name of the file without its path and last extension, at most 255 characters'),
  extension: z.string().describe('Extension in lower case, without the dot; empty if there is none'),
  mimetype: z
    .string()
    .describe('Media type, detected from the content. The type that the client sent only selects among text types'),
  size: z.int().describe('Size of the file in bytes'),
  download: url.describe(
    'URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P`',
  ),
}

const width = z.int().describe('Width in pixels, after the EXIF orientation is applied')
const height = z.int().describe('Height in pixels, after the EXIF orientation is applied')
const duration = z
  .string()
  .nullable()
  .describe('Duration in seconds, as text with at most three decimals; null if not known yet')
  .meta({ examples: ['12.48'] })

export const FileReply = described

export const ImageReply = {
  ...described,
  thumbnail: url.describe('URL of the thumbnails. Add `w`, `h`, `m` and `f` to choose one'),
  width,
  height,
}

export const VideoReply = {
  ...described,
  extension: described.extension.describe('Extension of the transcoded file: `mp4`'),
  mimetype: described.mimetype.describe('Media type of the transcoded file: `video/mp4`'),
  size: described.size.describe('Size in bytes: of the uploaded file until `state` is `ready`, then of the mp4'),
  preview: url.describe('URL of a frame of the video. Add `t`, `w`, `h` and `m` to choose one'),
  duration,
  state: z
    .enum(['processing', 'ready', 'failed'])
    .describe('`processing` until the mp4 exists, then `ready`, or `failed` with the reason in `failure`'),
  progress: z.number().min(0).max(1).describe('Transcoded part of the video, from 0 to 1'),
  failure: z
    .enum(videoFailures)
    .nullable()
    .describe(
      'Why the video failed: `unreadable` (no video that ffmpeg can decode), `too_long` (transcoding takes longer than MAX_SECONDS of the container, an hour by default), `too_large` (needs more disk space than the container has), `out_of_memory`, `killed` (the container was lost four times while transcoding); null unless `state` is `failed`',
    ),
  width: z.int().nullable().describe('Width of the video in pixels; null if not known yet'),
  height: z.int().nullable().describe('Height of the video in pixels; null if not known yet'),
}

export const AudioReply = { ...described, duration }

const { state, progress, failure } = VideoReply

const ListedItem = z
  .object({
    ...described,
    kind: z.enum(itemKinds).describe('Kind of the item'),
    created_at: Time.describe('Time of the upload'),
    width: width.nullable().describe('Width in pixels of an image or a video; null for other kinds'),
    height: height.nullable().describe('Height in pixels of an image or a video; null for other kinds'),
    duration: duration.describe(
      'Duration of a video or audio in seconds, as text; null for other kinds or if not known yet',
    ),
    state: state.describe('State of a video; other kinds are always `ready`'),
    progress: progress
      .nullable()
      .describe('1 if `ready`, 0 if `failed`, null while processing: read it with `GET /video/{digest}/info`'),
    failure,
    thumbnail: url.optional().describe('URL of the thumbnails; only for an image'),
    preview: url.optional().describe('URL of a frame; only for a video'),
  })
  .describe('Metadata of an item')

export const ItemsReply = {
  items: z.array(ListedItem).describe('Items, newest first'),
  next: ItemCursor.optional().describe('Cursor for `before` of the next page; missing on the last page'),
}

const shown = ({ digest, name, extension, mimetype, size }: Item) => ({ digest, name, extension, mimetype, size })

const secondsOf = ({ duration }: Item) => (duration === null ? null : String(Number(duration.toFixed(3))))

export const fileReply = (item: Item, base: string) => ({ ...shown(item), download: `${base}/file/${item.digest}` })

export const imageReply = (item: Item, base: string) => ({
  ...fileReply(item, base),
  thumbnail: `${base}/image/${item.digest}`,
  // Neither side is null: an image is stored only after both were read from its header.
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

/** Describes an item in the list, with the same URLs as in the reply to a request for this item. */
export const listedItem = (item: Item, base: string): z.output<typeof ListedItem> => ({
  ...shown(item),
  ...urlsOf(item, base),
  kind: item.kind,
  created_at: item.created_at,
  width: item.width,
  height: item.height,
  duration: secondsOf(item),
  state: item.state,
  progress: { processing: null, ready: 1, failed: 0 }[item.state],
  failure: item.failure,
})

function urlsOf({ kind, digest }: Item, base: string) {
  const own = `${base}/${kind}/${digest}`
  if (kind === 'image') return { download: `${base}/file/${digest}`, thumbnail: own }
  return kind === 'video' ? { download: own, preview: `${own}/preview` } : { download: own }
}
