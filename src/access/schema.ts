import { defineSchema } from '#core/db/kit'
import type { StoreOf } from '#core/db/open'

// Names of tables begin with the component's, because one Postgres database may have the tables of all components.
export const schema = defineSchema(({ table, id, text, time }) => {
  const notes = table('access_notes', { id: id(), text: text().notNull(), created_at: time().notNull() })
  return { notes }
})

export type AccessStore = StoreOf<typeof schema>
