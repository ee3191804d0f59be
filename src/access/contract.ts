import * as z from 'zod'
import { paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'

const Id = z.int().describe('Id of the note')
const Text = text(1000)
  .min(1, 'Is required')
  .meta({ description: 'Text of the note', examples: ['Buy milk'] })

export const NewAccessNote = z.object({ text: Text })
export type NewAccessNote = z.output<typeof NewAccessNote>

export const Note = z.object({ id: Id, text: z.string().describe('Text of the note'), created_at: Time })

export const AccessNoteKey = z.object({ id: Id })
export type AccessNoteKey = z.output<typeof AccessNoteKey>

export const AccessPage = z.object(paging())
export type AccessPage = z.output<typeof AccessPage>
