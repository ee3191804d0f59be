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
      // The newest version, and which save has made it: the statements of a batch see by it whether their save has won.
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
      // The signed data: base64, or where it is too large for a row the key of an object in R2.
      signature: text(),
      object: text(),
      // Bytes of the signed data.
      size: integer().notNull(),
      // JSON, as they are shown.
      signers: text().notNull(),
      tags: text().notNull(),
      version_created_by: text().notNull(),
      version_created_at: time().notNull(),
      version_comment: text().notNull(),
    },
    (t) => [primaryKey({ columns: [t.record_id, t.version] })],
  )

  // The tags of newest versions, with what they are looked up by.
  const tags = table(
    'signature_tags',
    { record_id: integer().notNull(), tag: text().notNull(), document: text().notNull() },
    (t) => [
      primaryKey({ columns: [t.record_id, t.tag] }),
      index('signature_tags_tag').on(t.tag, t.record_id),
      index('signature_tags_document').on(t.document, t.tag, t.record_id),
    ],
  )

  // What may lie in R2 that no version names: it is removed when it is due. A row is written before the object, and goes
  // with the row of its version; that of a version which is deleted comes with the deletion.
  const traces = table('signature_traces', { object: text().primaryKey(), due_at: time().notNull() }, (t) => [
    index('signature_traces_due_at').on(t.due_at),
  ])

  return { records, versions, tags, traces }
})

export type SignatureStore = StoreOf<typeof schema>
