import { desc, eq } from 'drizzle-orm'
import { affectedRows } from '#core/db/open'
import type { AccessNoteKey, AccessPage, NewAccessNote } from './contract.ts'
import { missing } from './errors.ts'
import type { AccessStore } from './schema.ts'

/** Adds a note; returns its id. */
export async function addNote({ db, notes }: AccessStore, { text }: NewAccessNote, created_at: Date): Promise<number> {
  const [row] = await db.insert(notes).values({ text, created_at }).returning({ id: notes.id })
  return row!.id
}

/** A page of the notes, newest first. */
export const listNotes = ({ db, notes }: AccessStore, { limit, offset }: AccessPage) =>
  db.select().from(notes).orderBy(desc(notes.id)).limit(limit).offset(offset)

/** Deletes a note; 404 if there is none with this id. */
export async function deleteNote({ db, notes }: AccessStore, { id }: AccessNoteKey): Promise<void> {
  const result = await db.delete(notes).where(eq(notes.id, id))
  if (affectedRows(result) === 0) throw missing('note', { id })
}
