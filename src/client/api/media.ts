// Types of the operations of media, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Media {
  get: {
    /**
     * List items
     * Lists items of all kinds, or of one kind, newest first. The list has the items of all callers and of all scopes in UPLOAD_SCOPES. Unlike a download, this needs credentials: anyone with the digest of an item can download it. Pass `next` of a page as `before` for the next page. The only 503 is `not_configured`: a variable of the component, which `message` names, is missing or invalid.
     */
    '/items': {
      params: {
        /** Returns only items of this kind. Default: all kinds */
        kind?: 'file' | 'image' | 'video' | 'audio' | undefined
        /** Exclusive cursor: `next` of the previous page. Default: the newest item */
        before?: string | undefined
        /** Maximum number of items, from 1 to 1000. Default: 100; default `100` */
        limit?: number | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Items, newest first */
        items: {
          /** Random, unguessable id of the item. Anyone with the digest can download it */
          digest: string
          /** Name of the file without its path and last extension, at most 255 characters */
          name: string
          /** Extension in lower case, without the dot; empty if there is none */
          extension: string
          /** Media type, detected from the content. The type that the client sent only selects among text types */
          mimetype: string
          /** Size of the file in bytes */
          size: number
          /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
          download: string
          /** Kind of the item */
          kind: 'file' | 'image' | 'video' | 'audio'
          /** Time of the upload */
          created_at: string
          /** Width in pixels of an image or a video; null for other kinds */
          width: number | null
          /** Height in pixels of an image or a video; null for other kinds */
          height: number | null
          /** Duration of a video or audio in seconds, as text; null for other kinds or if not known yet */
          duration: string | null
          /** State of a video; other kinds are always `ready` */
          state: 'processing' | 'ready' | 'failed'
          /** 1 if `ready`, 0 if `failed`, null while processing: read it with `GET /video/{digest}/info` */
          progress: number | null
          /** Why the video failed: `unreadable` (no video that ffmpeg can decode), `too_long` (transcoding takes longer than MAX_SECONDS of the container, an hour by default), `too_large` (needs more disk space than the container has), `out_of_memory`, `killed` (the container was lost four times while transcoding); null unless `state` is `failed` */
          failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
          /** URL of the thumbnails; only for an image */
          thumbnail?: string
          /** URL of a frame; only for a video */
          preview?: string
        }[]
        /** Cursor for `before` of the next page; missing on the last page */
        next?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Download a file
     * Downloads an item of any kind: files, images and audio unchanged, with their metadata, and videos as the transcoded mp4 (202 `processing` until it exists, 422 `media_failed` if transcoding failed). Needs no credentials.
     */
    '/file/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'file_not_found' | 'image_not_found' | 'audio_not_found' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the metadata of a file
     * Returns the metadata of an item of any kind: name, media type, size and URL. Needs no credentials.
     */
    '/file/{digest}/info': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'file_not_found' | 'payload_too_large' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a thumbnail of an image
     * Returns the image in the requested size and format: upright, in sRGB, without metadata, never enlarged, and at most 4096 pixels a side (UPLOAD_MAX_DIMENSION, or the limit of its scope). Of an animation, the first frame is used. Each thumbnail is rendered once and stored. Without `f`, `Accept` chooses the format if it lists `image/webp` or `image/avif` explicitly. AVIF and large images need the media container: 503 `unavailable` if it is down or full, 503 `not_configured` if there is none; if only `Accept` chose the format, the format of the image is used instead. Needs no credentials.
     */
    '/image/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
        /** Maximum width in pixels. Default: no limit with `r`, the width of the original with `c` */
        w?: number | undefined
        /** Maximum height in pixels. Default: no limit with `r`, the height of the original with `c` */
        h?: number | undefined
        /** Resize mode: `r` fits the whole image inside w x h, `c` fills w x h and crops the rest from the middle; default `"r"` */
        m?: 'r' | 'c' | undefined
        /** Format of the thumbnail. Default: WebP or AVIF if `Accept` lists it, else the format of the image */
        f?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'jpg' | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'image_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the metadata of an image
     * Returns the metadata of an image, with its width and height. Needs no credentials.
     */
    '/image/{digest}/info': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** URL of the thumbnails. Add `w`, `h`, `m` and `f` to choose one */
        thumbnail: string
        /** Width in pixels, after the EXIF orientation is applied */
        width: number
        /** Height in pixels, after the EXIF orientation is applied */
        height: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'image_not_found' | 'payload_too_large' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Download a video
     * Downloads the transcoded mp4. 202 `processing` until it exists, 422 `media_failed` if transcoding failed. Needs no credentials.
     */
    '/video/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a frame of a video
     * Returns a frame of a video as a JPEG: the one at `t` seconds, without `t` one near the beginning that is not black. Each size and time is rendered once and stored. 202 `processing` until the video is ready, 422 `media_failed` if transcoding failed. A frame at `t` needs the media container: 503 `unavailable` if it is down or full, 503 `not_configured` if there is none. Needs no credentials.
     */
    '/video/{digest}/preview': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
        /** Maximum width in pixels. Default: no limit with `r`, the width of the original with `c` */
        w?: number | undefined
        /** Maximum height in pixels. Default: no limit with `r`, the height of the original with `c` */
        h?: number | undefined
        /** Resize mode: `r` fits the whole image inside w x h, `c` fills w x h and crops the rest from the middle; default `"r"` */
        m?: 'r' | 'c' | undefined
        /** Time of the frame in seconds, below the duration of the video. Default: a frame near the beginning that is not black */
        t?: number | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'file_not_found' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the metadata of a video
     * Returns the metadata and the transcoding state of a video. Needs no credentials.
     */
    '/video/{digest}/info': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension of the transcoded file: `mp4` */
        extension: string
        /** Media type of the transcoded file: `video/mp4` */
        mimetype: string
        /** Size in bytes: of the uploaded file until `state` is `ready`, then of the mp4 */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** URL of a frame of the video. Add `t`, `w`, `h` and `m` to choose one */
        preview: string
        /** Duration in seconds, as text with at most three decimals; null if not known yet */
        duration: string | null
        /** `processing` until the mp4 exists, then `ready`, or `failed` with the reason in `failure` */
        state: 'processing' | 'ready' | 'failed'
        /** Transcoded part of the video, from 0 to 1 */
        progress: number
        /** Why the video failed: `unreadable` (no video that ffmpeg can decode), `too_long` (transcoding takes longer than MAX_SECONDS of the container, an hour by default), `too_large` (needs more disk space than the container has), `out_of_memory`, `killed` (the container was lost four times while transcoding); null unless `state` is `failed` */
        failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
        /** Width of the video in pixels; null if not known yet */
        width: number | null
        /** Height of the video in pixels; null if not known yet */
        height: number | null
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'video_not_found' | 'payload_too_large' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Download an audio file
     * Downloads the uploaded file unchanged. Needs no credentials.
     */
    '/audio/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'audio_not_found' | 'payload_too_large' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the metadata of an audio file
     * Returns the metadata of an audio file, with its duration. Needs no credentials.
     */
    '/audio/{digest}/info': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** Duration in seconds, as text with at most three decimals; null if not known yet */
        duration: string | null
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'audio_not_found' | 'payload_too_large' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /**
     * Upload a file
     * Stores a file of any type unchanged. The body is `multipart/form-data` with exactly one file, as `file`, of at most UPLOAD_MAX_FILESIZE (100 MB by default) or the limit of its `scope`. A rejected upload leaves nothing behind. Each call creates a new item, unless it repeats an `Idempotency-Key`: the repeat gets the reply of the first upload, whose content is not compared.
     */
    '/file': {
      params: {
        /** The file, with its name. Exactly one, at most UPLOAD_MAX_FILESIZE (100 MB by default) */
        file: Blob
        /** Name in UPLOAD_SCOPES, at most 1000 bytes. The limits of this scope replace the default limits of size and dimensions. Default: the default limits */
        scope?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Upload an image
     * Stores a JPEG, PNG, WebP or GIF image unchanged, after decoding it once. An image that is incomplete, or has more pixels than IMAGE_MAX_PIXELS (100 million by default), is rejected. An image that is too large for the media Worker needs the media container: 503 `unavailable` if the container is down or full, 503 `not_configured` if there is none. 503 `unavailable` also if the Worker is busy with other images for 20 seconds. The body is `multipart/form-data` with exactly one file, as `file`, of at most UPLOAD_MAX_FILESIZE (100 MB by default) or the limit of its `scope`. A rejected upload leaves nothing behind. Each call creates a new item, unless it repeats an `Idempotency-Key`: the repeat gets the reply of the first upload, whose content is not compared.
     */
    '/image': {
      params: {
        /** The file, with its name. Exactly one, at most UPLOAD_MAX_FILESIZE (100 MB by default) */
        file: Blob
        /** Name in UPLOAD_SCOPES, at most 1000 bytes. The limits of this scope replace the default limits of size and dimensions. Default: the default limits */
        scope?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** URL of the thumbnails. Add `w`, `h`, `m` and `f` to choose one */
        thumbnail: string
        /** Width in pixels, after the EXIF orientation is applied */
        width: number
        /** Height in pixels, after the EXIF orientation is applied */
        height: number
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Rotate an image
     * Creates a new image that is rotated clockwise by `d` degrees. A multiple of 360 degrees copies the file unchanged. The original does not change. The new image is an item with its own digest, in the format of the original. Large images need the media container: 503 `unavailable` if it is down or full, 503 `not_configured` if there is none. Each call creates another one, unless it repeats an `Idempotency-Key`.
     */
    '/image/{digest}/rotate': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
        /** Degrees clockwise, a multiple of 90. Negative values rotate counterclockwise */
        d: number
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** URL of the thumbnails. Add `w`, `h`, `m` and `f` to choose one */
        thumbnail: string
        /** Width in pixels, after the EXIF orientation is applied */
        width: number
        /** Height in pixels, after the EXIF orientation is applied */
        height: number
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'image_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Crop an image
     * Creates a new image from a rectangle of the upright image. 400 `validation_failed` if the rectangle is not inside the image. The original does not change. The new image is an item with its own digest, in the format of the original. Large images need the media container: 503 `unavailable` if it is down or full, 503 `not_configured` if there is none. Each call creates another one, unless it repeats an `Idempotency-Key`.
     */
    '/image/{digest}/crop': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
        /** Left edge of the crop, in pixels of the upright image, from 0 */
        x: number
        /** Top edge of the crop, in pixels of the upright image, from 0 */
        y: number
        /** Width of the crop in pixels. x + w must not exceed the width of the image */
        w: number
        /** Height of the crop in pixels. y + h must not exceed the height of the image */
        h: number
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** URL of the thumbnails. Add `w`, `h`, `m` and `f` to choose one */
        thumbnail: string
        /** Width in pixels, after the EXIF orientation is applied */
        width: number
        /** Height in pixels, after the EXIF orientation is applied */
        height: number
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'image_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Upload a video
     * Stores a video in any format that ffmpeg reads, and transcodes it to mp4 (H.264, AAC; the longest side at most UPLOAD_VIDEO_MAX_DIMENSION, 1280 pixels by default). The reply is sent when the file is stored, unless `wait` is true. The mp4 exists when `state` is `ready`; the uploaded file is then deleted. 503 `not_configured` if there is no media container; if it is only down, the video stays `processing` until it is up. The body is `multipart/form-data` with exactly one file, as `file`, of at most UPLOAD_MAX_FILESIZE (100 MB by default) or the limit of its `scope`. A rejected upload leaves nothing behind. Each call creates a new item, unless it repeats an `Idempotency-Key`: the repeat gets the reply of the first upload, whose content is not compared.
     */
    '/video': {
      params: {
        /** With `true`, the reply is sent when the video is `ready` or `failed`, after 60 seconds at the latest. Default: false, the reply is sent when the file is stored; default `false` */
        wait?: boolean | undefined
        /** The file, with its name. Exactly one, at most UPLOAD_MAX_FILESIZE (100 MB by default) */
        file: Blob
        /** Name in UPLOAD_SCOPES, at most 1000 bytes. The limits of this scope replace the default limits of size and dimensions. Default: the default limits */
        scope?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension of the transcoded file: `mp4` */
        extension: string
        /** Media type of the transcoded file: `video/mp4` */
        mimetype: string
        /** Size in bytes: of the uploaded file until `state` is `ready`, then of the mp4 */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** URL of a frame of the video. Add `t`, `w`, `h` and `m` to choose one */
        preview: string
        /** Duration in seconds, as text with at most three decimals; null if not known yet */
        duration: string | null
        /** `processing` until the mp4 exists, then `ready`, or `failed` with the reason in `failure` */
        state: 'processing' | 'ready' | 'failed'
        /** Transcoded part of the video, from 0 to 1 */
        progress: number
        /** Why the video failed: `unreadable` (no video that ffmpeg can decode), `too_long` (transcoding takes longer than MAX_SECONDS of the container, an hour by default), `too_large` (needs more disk space than the container has), `out_of_memory`, `killed` (the container was lost four times while transcoding); null unless `state` is `failed` */
        failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
        /** Width of the video in pixels; null if not known yet */
        width: number | null
        /** Height of the video in pixels; null if not known yet */
        height: number | null
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'video_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Get a frame of a video
     * Returns a frame of a video as a JPEG: the one at `t` seconds, without `t` one near the beginning that is not black. Each size and time is rendered once and stored. 202 `processing` until the video is ready, 422 `media_failed` if transcoding failed. A frame at `t` needs the media container: 503 `unavailable` if it is down or full, 503 `not_configured` if there is none. Needs no credentials. Same as GET, with the parameters in the body.
     */
    '/video/{digest}/preview': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
        /** Maximum width in pixels. Default: no limit with `r`, the width of the original with `c` */
        w?: number | undefined
        /** Maximum height in pixels. Default: no limit with `r`, the height of the original with `c` */
        h?: number | undefined
        /** Resize mode: `r` fits the whole image inside w x h, `c` fills w x h and crops the rest from the middle; default `"r"` */
        m?: 'r' | 'c' | undefined
        /** Time of the frame in seconds, below the duration of the video. Default: a frame near the beginning that is not black */
        t?: number | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'file_not_found' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'not_configured'
    }
    /**
     * Retry a failed video
     * Transcodes the uploaded file of a failed video again and sets `state` to `processing`. 409 `video_not_failed` unless `state` is `failed`, 409 `source_deleted` if the uploaded file was deleted, 503 `not_configured` if there is no media container.
     */
    '/video/{digest}/retry': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension of the transcoded file: `mp4` */
        extension: string
        /** Media type of the transcoded file: `video/mp4` */
        mimetype: string
        /** Size in bytes: of the uploaded file until `state` is `ready`, then of the mp4 */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** URL of a frame of the video. Add `t`, `w`, `h` and `m` to choose one */
        preview: string
        /** Duration in seconds, as text with at most three decimals; null if not known yet */
        duration: string | null
        /** `processing` until the mp4 exists, then `ready`, or `failed` with the reason in `failure` */
        state: 'processing' | 'ready' | 'failed'
        /** Transcoded part of the video, from 0 to 1 */
        progress: number
        /** Why the video failed: `unreadable` (no video that ffmpeg can decode), `too_long` (transcoding takes longer than MAX_SECONDS of the container, an hour by default), `too_large` (needs more disk space than the container has), `out_of_memory`, `killed` (the container was lost four times while transcoding); null unless `state` is `failed` */
        failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
        /** Width of the video in pixels; null if not known yet */
        width: number | null
        /** Height of the video in pixels; null if not known yet */
        height: number | null
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'video_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'video_not_failed' | 'source_deleted' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Upload an audio file
     * Stores an audio file unchanged (MP3, AAC, M4A, WAV, AIFF, CAF, FLAC, Ogg, Opus, WebM, Matroska, WMA, 3GP or AMR), and reads its duration. A file with a video track is rejected. The body is `multipart/form-data` with exactly one file, as `file`, of at most UPLOAD_MAX_FILESIZE (100 MB by default) or the limit of its `scope`. A rejected upload leaves nothing behind. Each call creates a new item, unless it repeats an `Idempotency-Key`: the repeat gets the reply of the first upload, whose content is not compared.
     */
    '/audio': {
      params: {
        /** The file, with its name. Exactly one, at most UPLOAD_MAX_FILESIZE (100 MB by default) */
        file: Blob
        /** Name in UPLOAD_SCOPES, at most 1000 bytes. The limits of this scope replace the default limits of size and dimensions. Default: the default limits */
        scope?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
        /** Random, unguessable id of the item. Anyone with the digest can download it */
        digest: string
        /** Name of the file without its path and last extension, at most 255 characters */
        name: string
        /** Extension in lower case, without the dot; empty if there is none */
        extension: string
        /** Media type, detected from the content. The type that the client sent only selects among text types */
        mimetype: string
        /** Size of the file in bytes */
        size: number
        /** URL from which the file can be downloaded, such as `http://localhost:8787/media/video/k3J9xQ2bT7mZa1P` */
        download: string
        /** Duration in seconds, as text with at most three decimals; null if not known yet */
        duration: string | null
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'unsupported_media_type' | 'rate_limit' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
  }
  delete: {
    /**
     * Delete a file
     * Deletes an item whose kind is `file`. This cannot be undone. A client may still use a copy that it cached within the last hour.
     */
    '/file/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'file_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete an image
     * Deletes an image and its thumbnails. Images that were rotated or cropped from it stay. This cannot be undone. A client may still use a copy that it cached within the last hour.
     */
    '/image/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'image_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete a video
     * Deletes a video with its uploaded file and its frames, and cancels transcoding. This cannot be undone. A client may still use a copy that it cached within the last hour.
     */
    '/video/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'video_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete an audio file
     * Deletes an audio file. This cannot be undone. A client may still use a copy that it cached within the last hour.
     */
    '/audio/{digest}': {
      params: {
        /** Digest of the item, from the reply to its upload. An upload with tus has the digest of its item: the last part of `Location` */
        digest: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'audio_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
