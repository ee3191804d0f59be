// The error codes of fulltext and typeahead: status, cause and remedy of each.
import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  document_not_found: {
    status: 404,
    cause: 'The index has no document with this code.',
    remedy: 'Check `code`, or create the document with `POST /document`.',
  },
  index_exists: {
    status: 409,
    cause: 'Another index has this name.',
    remedy: 'Use that index, choose another name, or delete it with `DELETE /index`.',
  },
  index_full: {
    status: 503,
    cause: 'A shard of the index has reached its maximum size of 9.5 GB.',
    remedy: 'Delete documents, or create an index with more `shards` and write the documents to that index.',
  },
  index_not_found: {
    status: 404,
    cause: 'No index has this name.',
    remedy: 'Create the index with `POST /index`, or list the indexes with `GET /indexes`.',
  },
})
