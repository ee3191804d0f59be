import type { DescribedReply, RequestHeader } from '#core/http/declaration'
import { storeErrors } from './operations.ts'

// What travels in statuses and headers: of downloads (RFC 9110) and of tus 1.0.

/** What a download may be asked. */
export const selection: Record<string, RequestHeader> = {
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

const version: Record<string, RequestHeader> = {
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

/** A finished upload becomes an item here at the latest, and can be refused. */
const uploadErrors = [...storeErrors, 'upload_not_found'] as const

/** What each operation of tus takes, and what it is answered with. */
export const tus = {
  describe: {
    summary: 'Say what the tus server can do',
    open: true,
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
    adds: true,
    raw: true,
    summary: 'Begin an upload in parts (tus 1.0)',
    description:
      '`Upload-Metadata` may have `kind` (`file`, `image`, `video` or `audio`; `file` unless given), `scope`, `filename` and `filetype`. UPLOAD_MAX_FILESIZE and the limits of scopes bind here as they do a form. The first bytes may come along.',
    errors: uploadErrors,
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
    raw: true,
    head: true,
    summary: 'Say how far an upload is',
    errors: uploadErrors,
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
    raw: true,
    summary: 'Send the next bytes of an upload',
    description: 'The last of them make it an item, whose digest is in `Media-Digest`.',
    errors: [...uploadErrors, 'offset_mismatch'],
    takes: { ...bytes, required: true },
    headers: { ...version, 'Upload-Offset': { description: offset, required: true, example: '0' } },
    replies: { 204: { description: 'They are kept', headers: progress }, ...otherVersion },
  },
  terminate: {
    raw: true,
    summary: 'End an upload',
    description: 'The item of a finished one stays.',
    errors: ['upload_not_found'],
    headers: version,
    replies: { 204: { description: 'It is gone', headers: spoken }, ...otherVersion },
  },
  override: {
    raw: true,
    summary: 'Stand for PATCH, DELETE or HEAD, where these cannot be sent',
    errors: [...uploadErrors, 'offset_mismatch'],
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
