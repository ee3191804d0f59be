import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import { retryVideo } from './admission.ts'
import type { Env } from './bindings.ts'
import { containerOf, probeContainer } from './container.ts'
import * as wire from './contract.ts'
import { cropImage, rotateImage } from './derived.ts'
import { errors } from './errors.ts'
import { listItems } from './listing.ts'
import { edit, imageErrors, preview, upload, video } from './operations.ts'
import { downloads, postedDownloads, selection, tus, videoDownloads } from './protocol.ts'
import { readItem, readVideo, removeItem } from './reading.ts'
import { schema } from './schema.ts'
import { serveFile, serveVideo } from './serving.ts'
import { servePreview, serveThumbnail } from './thumbnails.ts'
import { appendToUpload, createUpload, describeTus, findUpload, overrideUpload, terminateUpload, tusHeaders } from './tus.ts' // biome-ignore format: one line
import { receiveForm, receiveVideo } from './uploads.ts'

export const media = api<Env, keyof typeof errors>({
  name: 'media',
  errors,
  title: 'Media files',
  description: `Stores files, images, videos and audio, each under a digest that is made up for it: whoever has that may download it. \
Images are given in any size, and can be turned and cut, which makes a new item. Videos become mp4 (H.264, AAC). An upload is \
\`multipart/form-data\`, or, over any number of connections, tus 1.0 at /tus.`,
  takesOptions: true,
  exposes: ['Content-Range', 'Accept-Ranges', 'Content-Disposition', ...tusHeaders],
  probes: (env) => {
    const container = containerOf(env)
    return {
      database: () => ping(env),
      storage: () => env.FILES.head('_health'),
      ...(container && { container: () => probeContainer(container) }),
    }
  },
})
  .get(
    '/items',
    {
      summary: 'List items, the newest first',
      description:
        'Lists items of all kinds, or of one kind. Needs credentials, since anyone who has a digest can download the item.',
      params: wire.ItemsOf,
      reply: wire.ItemsReply,
      envelope: 'flat',
    },
    async ({ env, base, params }) => {
      const { items, next } = await listItems(open(env, schema), params)
      return { items: items.map((item) => wire.listedItem(item, base)), next }
    },
  )

  .post('/file', { ...upload, summary: 'Store a file', reply: wire.FileReply }, async ({ env, request, base }) =>
    wire.fileReply(await receiveForm(env, request, 'file'), base),
  )

  .get(
    '/file/:digest',
    {
      summary: 'Download a file',
      description: 'Any item: an image as it was uploaded, a video as the mp4 that it became.',
      params: wire.OfDigest,
      open: true,
      produces: 'application/octet-stream',
      headers: selection,
      replies: videoDownloads,
      // An item that is deleted meanwhile is missing as what it was.
      errors: ['file_not_found', 'image_not_found', 'audio_not_found', 'video_not_found', 'media_failed'],
    },
    ({ env, request, params }) => serveFile(env, request, params.digest),
  )

  .get(
    '/file/:digest/info',
    {
      summary: 'Describe a file',
      params: wire.OfDigest,
      open: true,
      reply: wire.FileReply,
      envelope: 'flat',
      errors: ['file_not_found'],
    },
    async ({ env, base, params }) => wire.fileReply(await readItem(env, params.digest), base),
  )

  .delete(
    '/file/:digest',
    { summary: 'Delete a file', params: wire.OfDigest, errors: ['file_not_found'] },
    ({ env, params }) => removeItem(env, params.digest, 'file'),
  )

  .post(
    '/image',
    {
      ...upload,
      summary: 'Store an image',
      description: 'JPEG, PNG, WebP or GIF.',
      reply: wire.ImageReply,
    },
    async ({ env, request, base }) => wire.imageReply(await receiveForm(env, request, 'image'), base),
  )

  .get(
    '/image/:digest',
    {
      summary: 'Give an image in another size',
      description: `Turned as its EXIF data says, never enlarged, without metadata; of an animated one the first frame. Made once, \
and kept. \`Accept\` decides the format only where it names \`image/webp\` or \`image/avif\` itself.`,
      params: wire.Thumbnail,
      open: true,
      produces: 'image/*',
      headers: selection,
      replies: downloads,
      errors: ['image_not_found', ...imageErrors],
    },
    ({ env, request, params }) => serveThumbnail(env, request, params),
  )

  .get(
    '/image/:digest/info',
    {
      summary: 'Describe an image',
      params: wire.OfDigest,
      open: true,
      reply: wire.ImageReply,
      envelope: 'flat',
      errors: ['image_not_found'],
    },
    async ({ env, base, params }) => wire.imageReply(await readItem(env, params.digest, 'image'), base),
  )

  .post(
    '/image/:digest/rotate',
    { ...edit, summary: 'Turn an image, which makes a new one', params: wire.Rotation },
    async ({ env, base, params: { digest, d } }) => wire.imageReply(await rotateImage(env, digest, d), base),
  )

  .post(
    '/image/:digest/crop',
    { ...edit, summary: 'Cut an image, which makes a new one', params: wire.Crop },
    async ({ env, base, params: { digest, x, y, w, h } }) =>
      wire.imageReply(await cropImage(env, digest, { x, y, width: w, height: h }), base),
  )

  .delete(
    '/image/:digest',
    { summary: 'Delete an image', params: wire.OfDigest, errors: ['image_not_found'] },
    ({ env, params }) => removeItem(env, params.digest, 'image'),
  )

  .post(
    '/video',
    {
      ...upload,
      summary: 'Store a video',
      description: 'Answers at once; the mp4 is there when `state` is `ready`.',
      params: wire.NewVideo,
      reply: wire.VideoReply,
      errors: [...upload.errors, 'video_not_found'],
    },
    async ({ env, request, base, params }) => wire.videoReply(await receiveVideo(env, request, params.wait), base),
  )

  .get(
    '/video/:digest',
    {
      summary: 'Download a video',
      params: wire.OfDigest,
      open: true,
      produces: 'video/mp4',
      headers: selection,
      replies: videoDownloads,
      errors: ['video_not_found', 'media_failed'],
    },
    ({ env, request, params }) => serveVideo(env, request, params.digest),
  )

  .get(
    '/video/:digest/preview',
    { ...preview, headers: selection, replies: videoDownloads },
    ({ env, request, params }) => servePreview(env, request, params),
  )

  .post('/video/:digest/preview', { ...preview, replies: postedDownloads }, ({ env, request, params }) =>
    servePreview(env, request, params),
  )

  .get('/video/:digest/info', { ...video, summary: 'Describe a video', open: true }, async ({ env, base, params }) =>
    wire.videoReply(await readVideo(env, params.digest), base),
  )

  .post(
    '/video/:digest/retry',
    {
      ...video,
      summary: 'Retry a failed video',
      description:
        'Transcodes the uploaded file again. 409 `video_not_failed` unless `state` is `failed`, 409 `source_deleted` if the file is gone.',
      errors: ['video_not_found', 'video_not_failed', 'source_deleted'],
    },
    async ({ env, base, params }) => wire.videoReply(await retryVideo(env, params.digest), base),
  )

  .delete(
    '/video/:digest',
    { summary: 'Delete a video', params: wire.OfDigest, errors: ['video_not_found'] },
    ({ env, params }) => removeItem(env, params.digest, 'video'),
  )

  .post(
    '/audio',
    {
      ...upload,
      summary: 'Store audio',
      description: 'MP3, AAC, M4A, WAV, FLAC, Ogg, Opus, WebM or AMR.',
      reply: wire.AudioReply,
    },
    async ({ env, request, base }) => wire.audioReply(await receiveForm(env, request, 'audio'), base),
  )

  .get(
    '/audio/:digest',
    {
      summary: 'Download audio',
      params: wire.OfDigest,
      open: true,
      produces: 'audio/*',
      headers: selection,
      replies: downloads,
      errors: ['audio_not_found'],
    },
    ({ env, request, params }) => serveFile(env, request, params.digest, 'audio'),
  )

  .get(
    '/audio/:digest/info',
    {
      summary: 'Describe audio',
      params: wire.OfDigest,
      open: true,
      reply: wire.AudioReply,
      envelope: 'flat',
      errors: ['audio_not_found'],
    },
    async ({ env, base, params }) => wire.audioReply(await readItem(env, params.digest, 'audio'), base),
  )

  .delete(
    '/audio/:digest',
    { summary: 'Delete audio', params: wire.OfDigest, errors: ['audio_not_found'] },
    ({ env, params }) => removeItem(env, params.digest, 'audio'),
  )

  .options('/tus', tus.describe, ({ env }) => describeTus(env))

  .post('/tus', tus.create, ({ env, request, base }) => createUpload(env, request, base))

  .get('/tus/:digest', { ...tus.find, params: wire.OfDigest }, ({ env, request, params }) =>
    findUpload(env, request, params.digest),
  )

  .patch('/tus/:digest', { ...tus.append, params: wire.OfDigest }, ({ env, request, params }) =>
    appendToUpload(env, request, params.digest),
  )

  .delete('/tus/:digest', { ...tus.terminate, params: wire.OfDigest }, ({ env, request, params }) =>
    terminateUpload(env, request, params.digest),
  )

  .post('/tus/:digest', { ...tus.override, params: wire.OfDigest }, ({ env, request, params }) =>
    overrideUpload(env, request, params.digest),
  )
