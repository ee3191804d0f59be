import * as z from 'zod'
import { open, ping } from '#core/db/open'
import { api } from '#core/http/api'
import type { Env } from './bindings.ts'
import * as wire from './contract.ts'
import { type ErrorCode, errors } from './errors.ts'
import { addNote, deleteNote, listNotes } from './notes.ts'
import { schema } from './schema.ts'

export const access = api<Env, ErrorCode>({
  name: 'access',
  errors,
  title: 'Access',
  description: 'Keys with scopes, short-lived tokens for browsers, rate limits and an audit log',
  probes: (env) => ({ database: async () => ping(env) }),
})
  .post(
    '/note',
    {
      adds: true,
      summary: 'Create a note',
      description: 'Equal notes are separate. With an `Idempotency-Key` a retry adds none.',
      params: wire.NewAccessNote,
      reply: wire.AccessNoteKey.shape,
      status: 201,
      idempotent: 'from-point-of-no-return',
    },
    async ({ env, params, markPointOfNoReturn }) => {
      await markPointOfNoReturn()
      return { id: await addNote(open(env, schema), params, new Date()) }
    },
  )

  .delete(
    '/note',
    {
      summary: 'Delete a note',
      description: 'Deletes the note with this `id` of `GET /notes`.',
      params: wire.AccessNoteKey,
      errors: ['note_not_found'],
    },
    async ({ env, params }) => deleteNote(open(env, schema), params),
  )

  .get(
    '/notes',
    {
      summary: 'List notes',
      description: 'Lists the notes, newest first.',
      params: wire.AccessPage,
      reply: { notes: z.array(wire.Note) },
    },
    async ({ env, params }) => ({ notes: await listNotes(open(env, schema), params) }),
  )
