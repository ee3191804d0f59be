// Parameters, replies, error codes and texts of the operations in index.ts, except for uploads by tus.
import type { DescribedReply, RequestHeader } from '#core/http/declaration'
import * as wire from './contract.ts'

/** Error codes of every operation that decodes or renders an image: any of the image engines may serve the request. */
const imageErrors = ['images_failed', 'media_container_failed', 'unavailable'] as const

/** Error codes of every operation that stores a file and checks its kind. tus-declarations.ts uses the list too. */
export const storeErrors = ['validation_failed', 'payload_too_large', 'unsupported_media_type', ...imageErrors] as const

const upload = {
  level: 'write',
  adds: true,
  idempotent: 'from-point-of-no-return',
  raw: true,
  multipart: wire.Form,
  envelope: 'flat',
  errors: [...storeErrors, 'invalid_form'],
} as const

const uploadRules =
  'The body is `multipart/form-data` with exactly one file, as `file`, of at most UPLOAD_MAX_FILESIZE (100 MB by default) or the limit of its `scope`. A rejected upload leaves nothing behind. Each call creates a new item, unless it repeats an `Idempotency-Key`: the repeat gets the reply of the first upload, whose content is not compared.'

/** Declarations of the uploads with a form (`multipart/form-data`), by kind of item. */
export const uploads = {
  file: {
    ...upload,
    summary: 'Upload a file',
    description: `Stores a file of any type unchanged. ${uploadRules}`,
    reply: wire.FileReply,
  },
  image: {
    ...upload,
    summary: 'Upload an image',
    description: `Stores a JPEG, PNG, WebP or GIF image unchanged, after decoding it once. An image that is incomplete, or has more pixels than IMAGE_MAX_PIXELS (100 million by default), is rejected. An image that is too large for the media Worker needs the media container: 503 \`unavailable\` if the container is down or full, 503 \`not_configured\` if there is none. 503 \`unavailable\` also if the Worker is busy with other images for 20 seconds. ${uploadRules}`,
    reply: wire.ImageReply,
  },
  video: {
    ...upload,
    summary: 'Upload a video',
    description: `Stores a video in any format that ffmpeg reads, and transcodes it to mp4 (H.264, AAC; the longest side at most UPLOAD_VIDEO_MAX_DIMENSION, 1280 pixels by default). The reply is sent when the file is stored, unless \`wait\` is true. The mp4 exists when \`state\` is \`ready\`; the uploaded file is then deleted. 503 \`not_configured\` if there is no media container; if it is only down, the video stays \`processing\` until it is up. ${uploadRules}`,
    params: wire.NewVideo,
    reply: wire.VideoReply,
    errors: [...upload.errors, 'video_not_found'],
  },
  audio: {
    ...upload,
    summary: 'Upload an audio file',
    description: `Stores an audio file unchanged (MP3, AAC, M4A, WAV, AIFF, CAF, FLAC, Ogg, Opus, WebM, Matroska, WMA, 3GP or AMR), and reads its duration. A file with a video track is rejected. ${uploadRules}`,
    reply: wire.AudioReply,
  },
} as const

const info = { params: wire.OfDigest, open: true, envelope: 'flat' } as const

/** Declarations of the operations that return the metadata of an item, by kind of item. */
export const metadata = {
  file: {
    ...info,
    summary: 'Get the metadata of a file',
    description: 'Returns the metadata of an item of any kind: name, media type, size and URL. Needs no credentials.',
    reply: wire.FileReply,
    errors: ['file_not_found'],
  },
  image: {
    ...info,
    summary: 'Get the metadata of an image',
    description: 'Returns the metadata of an image, with its width and height. Needs no credentials.',
    reply: wire.ImageReply,
    errors: ['image_not_found'],
  },
  video: {
    ...info,
    summary: 'Get the metadata of a video',
    description: 'Returns the metadata and the transcoding state of a video. Needs no credentials.',
    reply: wire.VideoReply,
    errors: ['video_not_found'],
  },
  audio: {
    ...info,
    summary: 'Get the metadata of an audio file',
    description: 'Returns the metadata of an audio file, with its duration. Needs no credentials.',
    reply: wire.AudioReply,
    errors: ['audio_not_found'],
  },
} as const

const deletionRules = 'This cannot be undone. A client may still use a copy that it cached within the last hour.'

/** Declarations of the deletions, by kind of item. */
export const deletions = {
  file: {
    level: 'write',
    params: wire.OfDigest,
    summary: 'Delete a file',
    description: `Deletes an item whose kind is \`file\`. ${deletionRules}`,
    errors: ['file_not_found'],
  },
  image: {
    level: 'write',
    params: wire.OfDigest,
    summary: 'Delete an image',
    description: `Deletes an image and its thumbnails. Images that were rotated or cropped from it stay. ${deletionRules}`,
    errors: ['image_not_found'],
  },
  video: {
    level: 'write',
    params: wire.OfDigest,
    summary: 'Delete a video',
    description: `Deletes a video with its uploaded file and its frames, and cancels transcoding. ${deletionRules}`,
    errors: ['video_not_found'],
  },
  audio: {
    level: 'write',
    params: wire.OfDigest,
    summary: 'Delete an audio file',
    description: `Deletes an audio file. ${deletionRules}`,
    errors: ['audio_not_found'],
  },
} as const

const edit = {
  level: 'write',
  adds: true,
  idempotent: 'from-point-of-no-return',
  reply: wire.ImageReply,
  envelope: 'flat',
  errors: ['image_not_found', ...imageErrors],
} as const

const editRules =
  'The original does not change. The new image is an item with its own digest, in the format of the original. Large images need the media container: 503 `unavailable` if it is down or full, 503 `not_configured` if there is none. Each call creates another one, unless it repeats an `Idempotency-Key`.'

/** Declarations of the edits of an image. Each edit creates a new image. */
export const edits = {
  rotate: {
    ...edit,
    summary: 'Rotate an image',
    description: `Creates a new image that is rotated clockwise by \`d\` degrees. A multiple of 360 degrees copies the file unchanged. ${editRules}`,
    params: wire.Rotation,
  },
  crop: {
    ...edit,
    summary: 'Crop an image',
    description: `Creates a new image from a rectangle of the upright image. 400 \`validation_failed\` if the rectangle is not inside the image. ${editRules}`,
    params: wire.Crop,
  },
} as const

export const retry = {
  level: 'write',
  idempotent: 'from-point-of-no-return',
  params: wire.OfDigest,
  summary: 'Retry a failed video',
  description:
    'Transcodes the uploaded file of a failed video again and sets `state` to `processing`. 409 `video_not_failed` unless `state` is `failed`, 409 `source_deleted` if the uploaded file was deleted, 503 `not_configured` if there is no media container.',
  reply: wire.VideoReply,
  envelope: 'flat',
  errors: ['video_not_found', 'video_not_failed', 'source_deleted'],
} as const

/** Request headers of a download (RFC 9110) that the API texts list. `If-Match`, `If-Unmodified-Since` and `If-Range` work too. */
const conditions: Record<string, RequestHeader> = {
  Range: {
    description: 'One byte range, such as `bytes=0-1023`. Several ranges are ignored: the reply is the whole file',
  },
  'If-None-Match': { description: 'An `ETag` of an earlier reply. The reply is 304 if the content is the same' },
}

const contentHeaders = {
  ETag: 'Identifies this version of the content',
  'Last-Modified': 'When this content last changed',
  'Accept-Ranges': '`bytes`',
  'Content-Disposition': '`inline`, with the name of the file',
  'Cache-Control': '`public, max-age=3600`: may be cached for an hour',
}

const whole = { 200: { description: 'The whole file', headers: contentHeaders } }

const downloadReplies: Record<number, DescribedReply> = {
  ...whole,
  206: {
    description: 'The part of the file that `Range` selects',
    headers: { ...contentHeaders, 'Content-Range': '`bytes`, the first and the last byte, and the total size' },
  },
  304: {
    description: 'Not modified: the `ETag` is in `If-None-Match`, or there was no change since `If-Modified-Since`',
    headers: { ETag: contentHeaders.ETag },
  },
  412: { description: '`If-Match` or `If-Unmodified-Since` does not hold', headers: { ETag: contentHeaders.ETag } },
  416: {
    description: '`Range` starts after the end of the file',
    headers: { 'Content-Range': '`bytes */` and the total size' },
  },
}

const unready: Record<number, DescribedReply> = {
  202: {
    description: '`processing`: the video is not ready yet. Retry after `Retry-After` seconds',
    headers: { 'Retry-After': 'Seconds until the next attempt' },
    refusal: true,
  },
  422: { description: '`media_failed`: the video could not be processed', refusal: true },
}

const download = { params: wire.OfDigest, open: true, headers: conditions, replies: downloadReplies } as const

/** Declarations of the downloads, by kind of item. */
export const downloads = {
  file: {
    ...download,
    summary: 'Download a file',
    description:
      'Downloads an item of any kind: files, images and audio unchanged, with their metadata, and videos as the transcoded mp4 (202 `processing` until it exists, 422 `media_failed` if transcoding failed). Needs no credentials.',
    produces: 'application/octet-stream',
    replies: { ...downloadReplies, ...unready },
    // All four 404 codes are possible: if an item is deleted during the download, the error has the code of the item's kind.
    errors: ['file_not_found', 'image_not_found', 'audio_not_found', 'video_not_found', 'media_failed'],
  },
  image: {
    ...download,
    addressLimit: true,
    summary: 'Get a thumbnail of an image',
    description: `Returns the image in the requested size and format: upright, in sRGB, without metadata, never enlarged, and at most 4096 pixels a side (UPLOAD_MAX_DIMENSION, or the limit of its scope). Of an animation, the first frame is used. Each thumbnail is rendered once and stored. Without \`f\`, \`Accept\` chooses the format if it lists \`image/webp\` or \`image/avif\` explicitly. AVIF and large images need the media container: 503 \`unavailable\` if it is down or full, 503 \`not_configured\` if there is none; if only \`Accept\` chose the format, the format of the image is used instead. Needs no credentials.`,
    params: wire.Thumbnail,
    produces: 'image/*',
    errors: ['image_not_found', ...imageErrors],
  },
  video: {
    ...download,
    summary: 'Download a video',
    description:
      'Downloads the transcoded mp4. 202 `processing` until it exists, 422 `media_failed` if transcoding failed. Needs no credentials.',
    produces: 'video/mp4',
    replies: { ...downloadReplies, ...unready },
    errors: ['video_not_found', 'media_failed'],
  },
  audio: {
    ...download,
    summary: 'Download an audio file',
    description: 'Downloads the uploaded file unchanged. Needs no credentials.',
    produces: 'audio/*',
    errors: ['audio_not_found'],
  },
} as const

const preview = {
  summary: 'Get a frame of a video',
  params: wire.PreviewRequest,
  open: true,
  addressLimit: true,
  produces: 'image/jpeg',
  errors: ['file_not_found', 'video_not_found', 'media_failed', ...imageErrors],
} as const

const previewDescription =
  'Returns a frame of a video as a JPEG: the one at `t` seconds, without `t` one near the beginning that is not black. Each size and time is rendered once and stored. 202 `processing` until the video is ready, 422 `media_failed` if transcoding failed. A frame at `t` needs the media container: 503 `unavailable` if it is down or full, 503 `not_configured` if there is none. Needs no credentials.'

/**
 * Declarations of `/video/{digest}/preview`. A POST has the parameters in its body, and supports no conditional requests or ranges.
 */
export const previews = {
  get: {
    ...preview,
    description: previewDescription,
    headers: conditions,
    replies: { ...downloadReplies, ...unready },
  },
  post: {
    ...preview,
    description: `${previewDescription} Same as GET, with the parameters in the body.`,
    replies: { ...whole, ...unready },
  },
} as const
