// Error codes of the feed's API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, missing } = defineErrors({
  collection_not_found: {
    status: 404,
    cause: 'No collection has this name.',
    remedy: 'Create it with `POST /collection`, or list the collections with `GET /collections`.',
  },
  record_not_found: {
    status: 404,
    cause: 'The collection has no record with this id.',
    remedy: 'List the records with `GET /records`.',
  },
})
