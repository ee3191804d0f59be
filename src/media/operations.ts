// Declarations that several operations share.
import * as wire from './contract.ts'

/** The error codes of all that decodes or makes an image. */
export const imageErrors = ['images_failed', 'media_container_failed', 'unavailable'] as const

/** The error codes of storing a file, whose kind is checked. */
export const storeErrors = ['validation_failed', 'payload_too_large', 'unsupported_media_type', ...imageErrors] as const

/** What all kinds of items have in common that are stored by a form. */
export const upload = {
  adds: true,
  raw: true,
  multipart: wire.Form,
  envelope: 'flat',
  errors: [...storeErrors, 'invalid_form'],
} as const

/** What all changes of an image have in common: each makes a new one. */
export const edit = {
  adds: true,
  reply: wire.ImageReply,
  envelope: 'flat',
  errors: ['image_not_found', ...imageErrors],
} as const

export const preview = {
  summary: 'Give a frame of a video',
  params: wire.PreviewRequest,
  open: true,
  produces: 'image/jpeg',
  errors: ['file_not_found', 'video_not_found', 'media_failed', ...imageErrors],
} as const

export const video = {
  params: wire.OfDigest,
  reply: wire.VideoReply,
  envelope: 'flat',
  errors: ['video_not_found'],
} as const
