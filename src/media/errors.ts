// The error codes of the media API: status, cause and remedy of each.
import { defineErrors } from '#core/failure'

const deleteCause = 'The item was never stored, or was deleted.'

export const { errors, failure, missing } = defineErrors({
  audio_not_found: {
    status: 404,
    cause: `No audio has this digest. ${deleteCause}`,
    remedy: 'List the audio with `GET /items` and `kind=audio`.',
  },
  file_not_found: {
    status: 404,
    cause: `No item has this digest. ${deleteCause}`,
    remedy: 'List the items with `GET /items`.',
  },
  image_not_found: {
    status: 404,
    cause: `No image has this digest. ${deleteCause}`,
    remedy: 'List the images with `GET /items` and `kind=image`.',
  },
  images_failed: {
    status: 502,
    cause: 'Cloudflare Images failed to decode or render the image.',
    remedy: 'Retry later. If it persists, check the log of the media component.',
  },
  invalid_form: {
    status: 400,
    cause: 'The body is not a complete `multipart/form-data` document, or has too many fields.',
    remedy:
      'Send the file as `file`, with at most 20 fields and 30 parts, and with the boundary of the `Content-Type` header.',
  },
  media_container_failed: {
    status: 502,
    cause: 'The media container failed to process the file.',
    remedy: 'Retry later. If it persists, check the log of the media container.',
  },
  media_failed: {
    status: 422,
    cause: 'The video could not be transcoded, or has no frame at the time `t`.',
    remedy:
      'Read `failure` with `GET /video/{digest}/info`. Retry with `POST /video/{digest}/retry`, or upload another file.',
  },
  offset_mismatch: {
    status: 409,
    cause: '`Upload-Offset` differs from the number of bytes that are stored.',
    remedy: 'Read `Upload-Offset` with a HEAD request, and send the bytes from that offset.',
  },
  source_deleted: {
    status: 409,
    cause: 'The uploaded file of the video was deleted, so the video cannot be transcoded again.',
    remedy: 'Upload the video again.',
  },
  upload_not_found: {
    status: 404,
    cause: 'No upload has this digest. The upload expired, was rejected, or was terminated.',
    remedy: 'Create a new upload with `POST /tus`.',
  },
  video_not_failed: {
    status: 409,
    cause: 'Only a video whose `state` is `failed` can be retried.',
    remedy: 'Read `state` with `GET /video/{digest}/info`.',
  },
  video_not_found: {
    status: 404,
    cause: `No video has this digest. ${deleteCause}`,
    remedy: 'List the videos with `GET /items` and `kind=video`.',
  },
})
