// Error codes of the API of notification templates, each with its status, cause and remedy.
import { defineErrors, peerErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  ...peerErrors('queue'),
  code_taken: {
    status: 409,
    cause: 'Another template has this code.',
    remedy: 'Choose another `code`, or change that template with `PATCH /notification`.',
  },
  notification_busy: {
    status: 409,
    cause: 'The template was changed concurrently.',
    remedy: 'Retry the request.',
  },
  notification_not_found: {
    status: 404,
    cause: 'No template has this id or code.',
    remedy: 'List the templates with `GET /notifications`, or create one with `POST /notification`.',
  },
  nothing_to_send: {
    status: 400,
    cause: 'No channel of the template has both a recipient in the call and a text that is not blank.',
    remedy:
      'Pass `email`, `phone`, or `feed_collection` and `feed_recipient`; `content.channels` has the reason for each channel.',
  },
})
