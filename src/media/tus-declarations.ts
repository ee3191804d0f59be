// Texts, headers, replies and error codes of the operations of tus, the protocol of resumable uploads
// (https://tus.io/protocols/resumable-upload).
import type { DescribedReply, RequestHeader } from '#core/http/declaration'
import { storeErrors } from './declarations.ts'

const versionHeader: Record<string, RequestHeader> = {
  'Tus-Resumable': { description: 'Version of the protocol, 1.0.0', required: true, example: '1.0.0' },
}

const versionReply = { 'Tus-Resumable': 'Version of the protocol, 1.0.0' }

const otherVersion: Record<number, DescribedReply> = {
  412: {
    description: '`Tus-Resumable` is missing or not 1.0.0',
    headers: { ...versionReply, 'Tus-Version': 'Supported versions' },
  },
}

const progress = {
  ...versionReply,
  'Upload-Offset': 'Number of bytes that are stored',
  'Upload-Expires': 'When an unfinished upload is deleted',
  'Media-Digest': 'Digest of the item, once the upload is complete',
}

const state = {
  ...progress,
  'Upload-Length': 'Total size of the upload, in bytes',
  'Upload-Metadata': 'The metadata that the client sent, unchanged',
}

const offset = 'Number of bytes that were sent before: the `Upload-Offset` of the last reply'

const bytes = { type: 'application/offset+octet-stream' }

/**
 * Error codes of every operation that may complete an upload: the item is created then, and the file may be rejected as in an
 * upload by form.
 */
const uploadErrors = [...storeErrors, 'upload_not_found'] as const

export const tus = {
  describe: {
    summary: 'Get the capabilities of the tus server',
    description:
      'Returns the supported versions and extensions of tus, and the maximum size of an upload in bytes, in headers. The reply has no body. Needs no credentials.',
    open: true,
    replies: {
      204: {
        description: 'Capabilities, in headers',
        headers: {
          ...versionReply,
          'Tus-Version': 'Supported versions',
          'Tus-Extension': 'Supported extensions: creation, creation-with-upload, expiration and termination',
          'Tus-Max-Size': 'Maximum size of an upload, in bytes',
        },
      },
    },
  },
  create: {
    level: 'write',
    adds: true,
    raw: true,
    summary: 'Create a resumable upload (tus 1.0)',
    description:
      'Creates an upload whose bytes are sent to its `Location` with PATCH, over any number of connections. The body may be empty, or contain the first bytes. The limits of UPLOAD_MAX_FILESIZE and of scopes apply as for a form. An unfinished upload is deleted after UPLOAD_LIFETIME (a day by default). If the first bytes are the whole file, it becomes an item at once, or is rejected as in `PATCH /tus/{digest}`.',
    errors: uploadErrors,
    takes: bytes,
    headers: {
      ...versionHeader,
      'Upload-Length': { description: 'Total size of the upload, in bytes', required: true, example: '1000000' },
      'Upload-Metadata': {
        description:
          'Comma-separated pairs of a name and a value in Base64: `kind` (`file`, `image`, `video` or `audio`; default `file`), `scope`, `filename` and `filetype`',
      },
    },
    replies: {
      201: { description: 'Upload created', headers: { Location: 'URL of the upload', ...progress } },
      ...otherVersion,
    },
  },
  find: {
    level: 'read',
    raw: true,
    head: true,
    summary: 'Get the offset of an upload',
    description:
      'Returns in `Upload-Offset` how many bytes are stored: resume a broken upload there. If all bytes are stored and no item exists yet, for example because the media container was down, this creates the item.',
    errors: uploadErrors,
    headers: versionHeader,
    replies: {
      200: {
        description: 'State of the upload, in headers',
        headers: state,
      },
      ...otherVersion,
    },
  },
  append: {
    level: 'write',
    raw: true,
    summary: 'Append bytes to an upload',
    description:
      'Appends the body at `Upload-Offset`. Bytes that arrive before a connection breaks are kept. 409 `offset_mismatch` if `Upload-Offset` is not the number of stored bytes. The last bytes create the item, whose digest is in `Media-Digest`. A file of the wrong kind or size is rejected then (400, 413 or 415), and its upload is deleted. 503 `unavailable` if the media container, which must check the file, is down or full: the bytes stay, and the next request tries again.',
    errors: [...uploadErrors, 'offset_mismatch'],
    takes: { ...bytes, required: true },
    headers: { ...versionHeader, 'Upload-Offset': { description: offset, required: true, example: '0' } },
    replies: { 204: { description: 'Bytes stored', headers: progress }, ...otherVersion },
  },
  terminate: {
    level: 'write',
    raw: true,
    summary: 'Terminate an upload',
    description:
      'Deletes an unfinished upload and its bytes. Of a complete upload, only the state of the upload is deleted: its item stays.',
    errors: ['upload_not_found'],
    headers: versionHeader,
    replies: { 204: { description: 'Upload deleted', headers: versionReply }, ...otherVersion },
  },
  override: {
    level: 'write',
    raw: true,
    summary: 'Send PATCH, DELETE or HEAD as a POST',
    description:
      'Does the same as the method in `X-HTTP-Method-Override`, for clients that can send only GET and POST.',
    errors: [...uploadErrors, 'offset_mismatch'],
    takes: bytes,
    headers: {
      ...versionHeader,
      'X-HTTP-Method-Override': { description: '`PATCH`, `DELETE` or `HEAD`', required: true, example: 'HEAD' },
      'Upload-Offset': { description: `${offset}. Only for PATCH` },
    },
    replies: {
      200: { description: 'Reply to HEAD: state of the upload, in headers', headers: state },
      204: { description: 'Reply to PATCH and DELETE', headers: progress },
      ...otherVersion,
    },
  },
} as const
