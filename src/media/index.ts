// The endpoints of the media API. declarations.ts has their texts, contract.ts their schemas.
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import type { Env } from './bindings.ts'
import { containerOf, probeContainer } from './container.ts'
import * as wire from './contract.ts'
import { deletions, downloads, edits, metadata, previews, retry, uploads } from './declarations.ts'
import { errors } from './errors.ts'
import { serveFile, serveVideo } from './file-responses.ts'
import { cropImage, rotateImage } from './image-edits.ts'
import { retryVideo } from './ingest.ts'
import { readItem, readVideo, removeItem } from './item-access.ts'
import { listItems } from './item-list.ts'
import { schema } from './schema.ts'
import { servePreview, serveThumbnail } from './thumbnails.ts'
import { appendToUpload, createUpload, describeTus, findUpload, overrideUpload, terminateUpload, tusHeaders, tusRequestHeaders } from './tus.ts' // biome-ignore format: one line
import { tus } from './tus-declarations.ts'
import { receiveForm, receiveVideo } from './uploads.ts'

export const media = api<Env, keyof typeof errors>({
  name: 'media',
  errors,
  title: 'Media files',
  description: `Stores files, images, videos and audio. Each item gets a random, unguessable id, the digest. Anyone with the digest \
can download it, without credentials. Images are served as thumbnails of any size, and can be rotated and cropped, which creates \
a new item. Videos are transcoded to mp4 (H.264, AAC). Upload a file as \`multipart/form-data\`, or with the resumable protocol tus \
1.0 at /tus.`,
  takesOptions: true,
  requestHeaders: tusRequestHeaders,
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
      level: 'read',
      summary: 'List items',
      description:
        'Lists items of all kinds, or of one kind, newest first. The list has the items of all callers and of all scopes in UPLOAD_SCOPES. Unlike a download, this needs credentials: anyone with the digest of an item can download it. Pass `next` of a page as `before` for the next page. The only 503 is `not_configured`: a variable of the component, which `message` names, is missing or invalid.',
      params: wire.ItemsOf,
      reply: wire.ItemsReply,
      envelope: 'flat',
    },
    async ({ env, base, params }) => {
      const { items, next } = await listItems(open(env, schema), params)
      return { items: items.map((item) => wire.listedItem(item, base)), next }
    },
  )

  .post('/file', uploads.file, async ({ env, request, base, markPointOfNoReturn }) =>
    wire.fileReply(await receiveForm(env, request, 'file', markPointOfNoReturn), base),
  )

  .get('/file/:digest', downloads.file, ({ env, request, params }) => serveFile(env, request, params.digest))

  .get('/file/:digest/info', metadata.file, async ({ env, base, params }) =>
    wire.fileReply(await readItem(env, params.digest), base),
  )

  .delete('/file/:digest', deletions.file, ({ env, params }) => removeItem(env, params.digest, 'file'))

  .post('/image', uploads.image, async ({ env, request, base, markPointOfNoReturn }) =>
    wire.imageReply(await receiveForm(env, request, 'image', markPointOfNoReturn), base),
  )

  .get('/image/:digest', downloads.image, ({ env, request, params }) => serveThumbnail(env, request, params))

  .get('/image/:digest/info', metadata.image, async ({ env, base, params }) =>
    wire.imageReply(await readItem(env, params.digest, 'image'), base),
  )

  .post('/image/:digest/rotate', edits.rotate, async ({ env, base, params: { digest, d }, markPointOfNoReturn }) =>
    wire.imageReply(await rotateImage(env, digest, d, markPointOfNoReturn), base),
  )

  .post('/image/:digest/crop', edits.crop, async ({ env, base, params: { digest, x, y, w, h }, markPointOfNoReturn }) =>
    wire.imageReply(await cropImage(env, digest, { x, y, width: w, height: h }, markPointOfNoReturn), base),
  )

  .delete('/image/:digest', deletions.image, ({ env, params }) => removeItem(env, params.digest, 'image'))

  .post('/video', uploads.video, async ({ env, request, base, params, markPointOfNoReturn }) =>
    wire.videoReply(await receiveVideo(env, request, params.wait, markPointOfNoReturn), base),
  )

  .get('/video/:digest', downloads.video, ({ env, request, params }) => serveVideo(env, request, params.digest))

  .get('/video/:digest/preview', previews.get, ({ env, request, params }) => servePreview(env, request, params))

  .post('/video/:digest/preview', previews.post, ({ env, request, params }) => servePreview(env, request, params))

  .get('/video/:digest/info', metadata.video, async ({ env, base, params }) =>
    wire.videoReply(await readVideo(env, params.digest), base),
  )

  .post('/video/:digest/retry', retry, async ({ env, base, params, markPointOfNoReturn }) =>
    wire.videoReply(await retryVideo(env, params.digest, markPointOfNoReturn), base),
  )

  .delete('/video/:digest', deletions.video, ({ env, params }) => removeItem(env, params.digest, 'video'))

  .post('/audio', uploads.audio, async ({ env, request, base, markPointOfNoReturn }) =>
    wire.audioReply(await receiveForm(env, request, 'audio', markPointOfNoReturn), base),
  )

  .get('/audio/:digest', downloads.audio, ({ env, request, params }) => serveFile(env, request, params.digest, 'audio'))

  .get('/audio/:digest/info', metadata.audio, async ({ env, base, params }) =>
    wire.audioReply(await readItem(env, params.digest, 'audio'), base),
  )

  .delete('/audio/:digest', deletions.audio, ({ env, params }) => removeItem(env, params.digest, 'audio'))

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
