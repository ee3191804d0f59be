// Error codes of the catcher's API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  capture_limit: {
    status: 429,
    cause: 'Requests without credentials have opened too many spaces, or store too many bytes.',
    remedy: 'Send credentials, use the default space, or retry after the seconds in `Retry-After`.',
  },
  forward_failed: {
    status: 502,
    cause:
      'A stub forwards the request, and the server could not be reached or sent an invalid or too large response, or the request cannot be forwarded.',
    remedy: 'Check the URL in `forward` of the stub, and `message`.',
  },
  forward_timeout: {
    status: 504,
    cause: 'A stub forwards the request, and the server did not answer within 30 seconds.',
    remedy: 'Check the server in `forward` of the stub.',
  },
  reply_not_found: {
    status: 404,
    cause: 'No canned reply is set for the space.',
    remedy: 'Set one with `PUT /_requests_/reply`.',
  },
  request_not_found: {
    status: 404,
    cause: 'The space has no request with this id, or it was deleted to make room for newer ones.',
    remedy: 'List the requests with `GET /_requests_`.',
  },
  stub_limit: {
    status: 409,
    cause: 'A space has at most 100 stubs, with 4 000 000 characters of JSON together.',
    remedy: 'Delete stubs with `DELETE /_requests_/stubs`, or use another space.',
  },
  stub_not_found: {
    status: 404,
    cause: 'The space has no stub with this id.',
    remedy: 'List the stubs with `GET /_requests_/stubs`.',
  },
  template_failed: {
    status: 500,
    cause: 'A template in the reply of a stub took too many steps, or its output is too long or no valid header.',
    remedy: 'Correct the template, which `message` describes.',
  },
})
