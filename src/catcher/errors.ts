// Error codes of the catcher's API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  capture_limit: {
    status: 429,
    cause: 'Requests without credentials have opened too many spaces, or store too many bytes.',
    remedy: 'Send credentials, use the default space, or retry after the seconds in `Retry-After`.',
  },
  reply_not_found: {
    status: 404,
    cause: 'No custom reply is set for the space. Requests get the default reply.',
    remedy: 'Set one with `PUT /_requests_/reply`.',
  },
  request_not_found: {
    status: 404,
    cause: 'The space has no request with this id, or it was deleted to make room for newer ones.',
    remedy: 'List the requests with `GET /_requests_`.',
  },
})
