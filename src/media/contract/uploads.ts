// Schemas for uploads: the kinds of items, the limits in UPLOAD_SCOPES, and the header Upload-Metadata of tus.
import * as z from 'zod'

export const itemKinds = ['file', 'image', 'video', 'audio'] as const
export type ItemKind = (typeof itemKinds)[number]

const limit = z.int().min(1).max(1e12).optional()

/** Limits of a scope in `UPLOAD_SCOPES`: file sizes in KB, dimensions in pixels. A missing key means the default limit. */
const Scope = z.object({
  file_max_filesize: limit,
  image_max_filesize: limit,
  video_max_filesize: limit,
  audio_max_filesize: limit,
  image_max_dimension: limit,
  video_max_dimension: limit,
})

/** The JSON of the variable UPLOAD_SCOPES: the limits of each scope, by its name. */
export const Scopes = z.record(z.string(), Scope)

/** The header Upload-Metadata of tus, after its values were decoded from Base64. */
export const Metadata = z.object({
  kind: z.enum(itemKinds).default('file'),
  scope: z.string().optional(),
  filename: z.string().max(4096).default(''),
  filetype: z.string().max(255).default(''),
})
