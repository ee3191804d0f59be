import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

export const schema = defineSchema(({ table, text, integer, real, time, index }) => {
  const items = table(
    'media_items',
    {
      digest: text().primaryKey(),
      // `file`, `image`, `video` or `audio`.
      kind: text().notNull(),
      name: text().notNull(),
      extension: text().notNull(),
      mimetype: text().notNull(),
      // Of a text, where its encoding is known.
      charset: text(),
      // Bytes of what a download gives; of a video that is not ready yet, of what was uploaded.
      size: integer().notNull(),
      // Pixels as they are shown; null where they are not known, or there are none.
      width: integer(),
      height: integer(),
      // EXIF's, of an image.
      orientation: integer(),
      // The largest side of what is made of it, where its scope had one.
      max_dimension: integer(),
      // Seconds, of video and audio; null while it is not known.
      duration: real(),
      // `processing`, `ready` or `failed`; only a video is ever anything but ready.
      state: text().notNull(),
      // Why a video has failed.
      failure: text(),
      // Number of the transcoding run; each retry of a video begins the next one.
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

  // What may lie in R2 under a digest that has no item: it is removed when it is due. A row is written before the first
  // byte of an upload and goes with the row of its item; that of an item which is deleted stays until nothing is left.
  const pendingUploads = table(
    'media_traces',
    {
      digest: text().primaryKey(),
      // The upload in parts that may be under way, as R2 names it.
      upload: text(),
      due_at: time().notNull(),
    },
    (t) => [index('media_traces_due_at').on(t.due_at)],
  )

  return { items, pendingUploads }
})

export type MediaStore = StoreOf<typeof schema>
