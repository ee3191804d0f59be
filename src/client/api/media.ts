// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Media {
  get: {
    /**
     * List items, the newest first
     * Lists items of all kinds, or of one kind. Needs credentials, since anyone who has a digest can download the item.
     */
    '/items': {
      params: {
        /** Items of this kind alone */
        kind?: 'file' | 'image' | 'video' | 'audio' | undefined
        /** Cursor: `next` of the previous page */
        before?: string | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
      }
      reply: {
        status: true
        items: {
          /** Names the item from now on */
          digest: string
          /** The file's name without its last extension */
          name: string
          extension: string
          /** By the bytes; the client's word decides between kinds of text only */
          mimetype: string
          /** Bytes */
          size: number
          download: string
          kind: 'file' | 'image' | 'video' | 'audio'
          /** UTC */
          created_at: string
          /** Of images and videos */
          width: number | null
          height: number | null
          /** Seconds, with at most three decimals; null while it is not known */
          duration: string | null
          /** Anything but a video is always ready */
          state: 'processing' | 'ready' | 'failed'
          /** Null while a video is processed: GET /video/{digest}/info says how far it is */
          progress: number | null
          /** Why the video has failed */
          failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
          /** Of an image */
          thumbnail?: string
          /** Of a video */
          preview?: string
        }[]
        /** For `before` of the next page; there is none where no more items are */
        next?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Download a file
     * Any item: an image as it was uploaded, a video as the mp4 that it became.
     */
    '/file/{digest}': {
      params: {
        digest: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'file_not_found' | 'image_not_found' | 'audio_not_found' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'internal_error' | 'not_configured'
    }
    /** Describe a file */
    '/file/{digest}/info': {
      params: {
        digest: string
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'file_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Give an image in another size
     * Turned as its EXIF data says, never enlarged, without metadata; of an animated one the first frame. Made once, and kept. `Accept` decides the format only where it names `image/webp` or `image/avif` itself.
     */
    '/image/{digest}': {
      params: {
        digest: string
        /** Width in pixels; unbounded, or with `c` the picture's own, unless given */
        w?: number | undefined
        /** Height in pixels, alike */
        h?: number | undefined
        /** `r` fits the picture inside w x h, `c` covers that and cuts the rest off; `"r"` unless given */
        m?: 'r' | 'c' | undefined
        /** The format; else WebP or AVIF where `Accept` names it, else the picture's own */
        f?: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'jpg' | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'image_not_found' | 'payload_too_large' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'not_configured' | 'unavailable'
    }
    /** Describe an image */
    '/image/{digest}/info': {
      params: {
        digest: string
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        thumbnail: string
        /** Pixels, of the picture as it is shown */
        width: number
        height: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'image_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Download a video */
    '/video/{digest}': {
      params: {
        digest: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'internal_error' | 'not_configured'
    }
    /** Give a frame of a video */
    '/video/{digest}/preview': {
      params: {
        digest: string
        /** Width in pixels; unbounded, or with `c` the picture's own, unless given */
        w?: number | undefined
        /** Height in pixels, alike */
        h?: number | undefined
        /** `r` fits the picture inside w x h, `c` covers that and cuts the rest off; `"r"` unless given */
        m?: 'r' | 'c' | undefined
        /** The second of the video; one near its beginning that is not black unless given */
        t?: number | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'file_not_found' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'not_configured' | 'unavailable'
    }
    /** Describe a video */
    '/video/{digest}/info': {
      params: {
        digest: string
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        preview: string
        /** Seconds, with at most three decimals; null while it is not known */
        duration: string | null
        state: 'processing' | 'ready' | 'failed'
        progress: number
        /** Why the video has failed */
        failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
        width: number | null
        height: number | null
      }
      errors: 'validation_failed' | 'invalid_json' | 'video_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Download audio */
    '/audio/{digest}': {
      params: {
        digest: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'audio_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Describe audio */
    '/audio/{digest}/info': {
      params: {
        digest: string
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        /** Seconds, with at most three decimals; null while it is not known */
        duration: string | null
      }
      errors: 'validation_failed' | 'invalid_json' | 'audio_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  post: {
    /** Store a file */
    '/file': {
      params: {
        file: Blob
        /** A name in UPLOAD_SCOPES, whose limits then apply */
        scope?: string | undefined
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
      }
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'unsupported_media_type' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'database_full' | 'not_configured' | 'unavailable'
    }
    /**
     * Store an image
     * JPEG, PNG, WebP or GIF.
     */
    '/image': {
      params: {
        file: Blob
        /** A name in UPLOAD_SCOPES, whose limits then apply */
        scope?: string | undefined
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        thumbnail: string
        /** Pixels, of the picture as it is shown */
        width: number
        height: number
      }
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'unsupported_media_type' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'database_full' | 'not_configured' | 'unavailable'
    }
    /** Turn an image, which makes a new one */
    '/image/{digest}/rotate': {
      params: {
        digest: string
        /** Degrees clockwise */
        d: number
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        thumbnail: string
        /** Pixels, of the picture as it is shown */
        width: number
        height: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'image_not_found' | 'payload_too_large' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'database_full' | 'not_configured' | 'unavailable'
    }
    /** Cut an image, which makes a new one */
    '/image/{digest}/crop': {
      params: {
        digest: string
        /** Pixels from the left, of the picture as it is shown */
        x: number
        /** Pixels from the top */
        y: number
        /** Pixels to the right of x */
        w: number
        /** Pixels downward from y */
        h: number
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        thumbnail: string
        /** Pixels, of the picture as it is shown */
        width: number
        height: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'image_not_found' | 'payload_too_large' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'database_full' | 'not_configured' | 'unavailable'
    }
    /**
     * Store a video
     * Answers at once; the mp4 is there when `state` is `ready`.
     */
    '/video': {
      params: {
        /** Answers when the video is ready, or after a minute; `false` unless given */
        wait?: boolean | undefined
        file: Blob
        /** A name in UPLOAD_SCOPES, whose limits then apply */
        scope?: string | undefined
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        preview: string
        /** Seconds, with at most three decimals; null while it is not known */
        duration: string | null
        state: 'processing' | 'ready' | 'failed'
        progress: number
        /** Why the video has failed */
        failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
        width: number | null
        height: number | null
      }
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'video_not_found' | 'payload_too_large' | 'unsupported_media_type' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'database_full' | 'not_configured' | 'unavailable'
    }
    /** Give a frame of a video */
    '/video/{digest}/preview': {
      params: {
        digest: string
        /** Width in pixels; unbounded, or with `c` the picture's own, unless given */
        w?: number | undefined
        /** Height in pixels, alike */
        h?: number | undefined
        /** `r` fits the picture inside w x h, `c` covers that and cuts the rest off; `"r"` unless given */
        m?: 'r' | 'c' | undefined
        /** The second of the video; one near its beginning that is not black unless given */
        t?: number | undefined
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'file_not_found' | 'video_not_found' | 'payload_too_large' | 'media_failed' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'not_configured' | 'unavailable'
    }
    /**
     * Retry a failed video
     * Transcodes the uploaded file again. 409 `video_not_failed` unless `state` is `failed`, 409 `source_deleted` if the file is gone.
     */
    '/video/{digest}/retry': {
      params: {
        digest: string
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        preview: string
        /** Seconds, with at most three decimals; null while it is not known */
        duration: string | null
        state: 'processing' | 'ready' | 'failed'
        progress: number
        /** Why the video has failed */
        failure: 'unreadable' | 'too_long' | 'too_large' | 'out_of_memory' | 'killed' | null
        width: number | null
        height: number | null
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'video_not_found' | 'video_not_failed' | 'source_deleted' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Store audio
     * MP3, AAC, M4A, WAV, FLAC, Ogg, Opus, WebM or AMR.
     */
    '/audio': {
      params: {
        file: Blob
        /** A name in UPLOAD_SCOPES, whose limits then apply */
        scope?: string | undefined
      }
      reply: {
        status: true
        /** Names the item from now on */
        digest: string
        /** The file's name without its last extension */
        name: string
        extension: string
        /** By the bytes; the client's word decides between kinds of text only */
        mimetype: string
        /** Bytes */
        size: number
        download: string
        /** Seconds, with at most three decimals; null while it is not known */
        duration: string | null
      }
      errors: 'validation_failed' | 'invalid_form' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'unsupported_media_type' | 'internal_error' | 'images_failed' | 'media_container_failed' | 'database_full' | 'not_configured' | 'unavailable'
    }
  }
  delete: {
    /** Delete a file */
    '/file/{digest}': {
      params: {
        digest: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'file_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Delete an image */
    '/image/{digest}': {
      params: {
        digest: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'image_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Delete a video */
    '/video/{digest}': {
      params: {
        digest: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'video_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Delete audio */
    '/audio/{digest}': {
      params: {
        digest: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'audio_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
