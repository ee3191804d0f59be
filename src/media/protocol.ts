import type { AskedHeader, DescribedReply } from '#core/http/declaration'

// What travels in statuses and headers: of downloads (RFC 9110) and of tus 1.0.

/** What a download may be asked. */
export const selection: Record<string, AskedHeader> = {
  Range: { description: 'One range, as `bytes=0-1023`; several are answered with all of it' },
  'If-None-Match': { description: 'An `ETag`' },
}

const described = {
  ETag: 'Of these bytes',
  'Last-Modified': 'Since when there are these bytes',
  'Accept-Ranges': '`bytes`',
  'Content-Disposition': '`inline`, with the name',
  'Cache-Control': '`public`, for an hour',
}

const whole = { 200: { description: 'All of it', headers: described } }

/** What a download is answered with. */
export const downloads: Record<number, DescribedReply> = {
  ...whole,
  206: {
    description: 'The part that `Range` names',
    headers: { ...described, 'Content-Range': '`bytes`, its first and last byte, and the size of all' },
  },
  304: {
    description: 'It is what `If-None-Match` names, or not younger than `If-Modified-Since`',
    headers: { ETag: described.ETag },
  },
  412: { description: '`If-Match` or `If-Unmodified-Since` does not hold', headers: { ETag: described.ETag } },
  416: { description: '`Range` begins after the end', headers: { 'Content-Range': '`bytes */` and the size of all' } },
}

const unready: Record<number, DescribedReply> = {
  202: {
    description: '`processing`: the video is not ready yet',
    headers: { 'Retry-After': 'Seconds' },
    refusal: true,
  },
  422: { description: '`media_failed`: there is nothing to be had of the video', refusal: true },
}

/** The same of what may be a video, or a frame of one. */
export const videoDownloads: Record<number, DescribedReply> = { ...downloads, ...unready }

/** The same for a POST, which has no conditions and no ranges. */
export const postedDownloads: Record<number, DescribedReply> = { ...whole, ...unready }

const version: Record<string, AskedHeader> = {
  'Tus-Resumable': { description: "The protocol's version", required: true, example: '1.0.0' },
}

const spoken = { 'Tus-Resumable': "The protocol's version" }

const otherVersion: Record<number, DescribedReply> = {
  412: {
    description: 'Another version is asked for, or none',
    headers: { ...spoken, 'Tus-Version': 'What it speaks' },
  },
}

const progress = {
  ...spoken,
  'Upload-Offset': 'How many bytes there are',
  'Upload-Expires': 'When it is forgotten',
  'Media-Digest': 'That of the item, once it is one',
}

const state = { ...progress, 'Upload-Length': 'Bytes, of all of it', 'Upload-Metadata': 'As it came' }

const offset = 'How many bytes came before'

const bytes = { type: 'application/offset+octet-stream' }

/** What each operation of tus takes, and what it is answered with. */
export const tus = {
  describe: {
    replies: {
      204: {
        description: 'In headers',
        headers: {
          ...spoken,
          'Tus-Version': 'What it speaks',
          'Tus-Extension': 'What it can do',
          'Tus-Max-Size': 'Bytes',
        },
      },
    },
  },
  create: {
    takes: bytes,
    headers: {
      ...version,
      'Upload-Length': { description: 'Bytes, of all of it', required: true, example: '1000000' },
      'Upload-Metadata': { description: 'Names, each with its value in Base64, separated by commas' },
    },
    replies: {
      201: { description: 'It has begun', headers: { Location: 'Where its bytes go', ...progress } },
      ...otherVersion,
    },
  },
  find: {
    headers: version,
    replies: {
      200: {
        description: 'In headers',
        headers: state,
      },
      ...otherVersion,
    },
  },
  append: {
    takes: { ...bytes, required: true },
    headers: { ...version, 'Upload-Offset': { description: offset, required: true, example: '0' } },
    replies: { 204: { description: 'They are kept', headers: progress }, ...otherVersion },
  },
  terminate: {
    headers: version,
    replies: { 204: { description: 'It is gone', headers: spoken }, ...otherVersion },
  },
  override: {
    takes: bytes,
    headers: {
      ...version,
      'X-HTTP-Method-Override': { description: '`PATCH`, `DELETE` or `HEAD`', required: true, example: 'HEAD' },
      'Upload-Offset': { description: `${offset}, for a PATCH` },
    },
    replies: {
      200: { description: 'What a HEAD is answered', headers: state },
      204: { description: 'What PATCH and DELETE are answered', headers: progress },
      ...otherVersion,
    },
  },
} as const
