// The tables of the media component, defined once for D1 and Postgres.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, text, integer, real, time, index }) => {
  const items = table(
    'media_items',
    {
      digest: text().primaryKey(),
      // Kind of the item: `file`, `image`, `video` or `audio`.
      kind: text().notNull(),
      name: text().notNull(),
      extension: text().notNull(),
      mimetype: text().notNull(),
      // Character encoding of a text file; null if it is not known, and for other files.
      charset: text(),
      // Size of the download in bytes. For a video that is not ready: size of the uploaded file.
      size: integer().notNull(),
      // Width and height in pixels as displayed; null if not known, and for items without a picture.
      width: integer(),
      height: integer(),
      // EXIF orientation of an image, from 1 to 8; null for other kinds.
      orientation: integer(),
      // Maximum length in pixels of the longer side of renditions, or of the mp4. Null if the scope of the upload sets none: the
      // default then applies.
      max_dimension: integer(),
      // Duration of video and audio in seconds; null if not known yet.
      duration: real(),
      // State of a video: `processing`, `ready` or `failed`. Other kinds are always `ready`.
      state: text().notNull(),
      // Why a video failed: one of `videoFailures`.
      failure: text(),
      // Number of the transcoding run; each retry of a video starts the next one.
      run: integer().notNull().default(1),
      created_at: time().notNull(),
      updated_at: time().notNull(),
    },
    (t) => [
      index('media_items_state').on(t.state, t.updated_at),
      index('media_items_created_at').on(t.created_at, t.digest),
      index('media_items_kind').on(t.kind, t.created_at, t.digest),
    ],
  )

  // Digests that may have objects in R2 but no item; the sweep deletes these objects when they are due. A row is inserted before
  // the first byte of an upload, and deleted when the item of the upload is added. A row is also inserted when an item is deleted,
  // since concurrent requests may still write objects.
  const pendingUploads = table(
    'media_traces',
    {
      digest: text().primaryKey(),
      // Id of the multipart upload in R2, if one was created. The sweep aborts it.
      upload: text(),
      due_at: time().notNull(),
    },
    (t) => [index('media_traces_due_at').on(t.due_at)],
  )

  return { items, pendingUploads }
})

export type MediaStore = StoreOf<typeof schema>
