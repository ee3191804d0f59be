// Error codes of the API of the badges, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, missing } = defineErrors({
  badge_not_found: {
    status: 404,
    cause: 'The user has no badge with this id in the collection.',
    remedy: 'List the badges of the user with `GET /badges`.',
  },
})
