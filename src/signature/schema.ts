// Database tables of the signature store: records, their versions and tags, and objects in R2 that may be orphaned.
import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'
import type { SignatureFormat } from './contract.ts'

export const schema = defineSchema(({ table, id, text, integer, time, index, unique, primaryKey }) => {
  const records = table(
    'signature_records',
    {
      id: id(),
      document: text().notNull(),
      thread: text().notNull(),
      // `version` is the newest version, `save` the random id of the operation that saved it. The later statements of a batch
      // compare `save`, and change nothing if another save won.
      version: integer().notNull(),
      save: text().notNull(),
      created_at: time().notNull(),
      updated_at: time().notNull(),
    },
    (t) => [
      unique('signature_records_document_thread').on(t.document, t.thread),
      index('signature_records_document').on(t.document, t.id),
      index('signature_records_document_version').on(t.document, t.version, t.id),
      index('signature_records_thread').on(t.thread, t.id),
      index('signature_records_version').on(t.version, t.id),
    ],
  )

  const versions = table(
    'signature_versions',
    {
      record_id: integer().notNull(),
      version: integer().notNull(),
      format: text().$type<SignatureFormat>().notNull(),
      // Signed data in base64. For data that is too large for a row, `signature` is null, and `object` is its key in R2.
      signature: text(),
      object: text(),
      // Size of the signed data in bytes, before base64.
      size: integer().notNull(),
      // `signers` and `tags` are JSON arrays, in the format of the API replies.
      signers: text().notNull(),
      tags: text().notNull(),
      version_created_by: text().notNull(),
      version_created_at: time().notNull(),
      version_comment: text().notNull(),
    },
    (t) => [primaryKey({ columns: [t.record_id, t.version] })],
  )

  // Tags of the newest versions. The table repeats the document so that one index serves both filters.
  const tags = table(
    'signature_tags',
    { record_id: integer().notNull(), tag: text().notNull(), document: text().notNull() },
    (t) => [
      primaryKey({ columns: [t.record_id, t.tag] }),
      index('signature_tags_tag').on(t.tag, t.record_id),
      index('signature_tags_document').on(t.document, t.tag, t.record_id),
    ],
  )

  // Objects in R2 that may be orphaned. A row is inserted before the upload, and deleted in the batch that inserts the version. A
  // row is inserted again when the version is deleted. A sweep deletes the objects that are due.
  const orphans = table('signature_traces', { object: text().primaryKey(), due_at: time().notNull() }, (t) => [
    index('signature_traces_due_at').on(t.due_at),
  ])

  return { records, versions, tags, orphans }
})

export type SignatureStore = StoreOf<typeof schema>
