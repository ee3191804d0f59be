import { defineErrors } from '#core/failure'

export const { errors, missing } = defineErrors({
  note_not_found: {
    status: 404,
    cause: 'No note has this id.',
    remedy: 'List the notes with `GET /notes`.',
  },
})

export type ErrorCode = keyof typeof errors
