// Error codes of the email API, each with its status, cause and remedy.
import { defineErrors, peerErrors } from '#core/failure'

const { media_failed } = peerErrors('media')

export const { errors, failure, missing } = defineErrors({
  media_failed,
  message_not_found: {
    status: 404,
    cause: 'No caught mail has this id, or it was deleted: a local start keeps the newest 1000 mails.',
    remedy: 'List the caught mails with `GET /messages`.',
  },
  outlet_not_found: {
    status: 404,
    cause: 'No SMTP server has this name.',
    remedy: 'List the servers with `GET /outlets`.',
  },
  smtp_failed: {
    status: 502,
    cause:
      "The SMTP server could not be reached or rejected the mail. The mail was certainly not sent. `content` has the failed step and the server's reply.",
    remedy:
      'If the reply has `Retry-After`, retry after that many seconds. Otherwise correct the sender, the recipients or the message, or the SMTP settings of the component.',
  },
  smtp_outcome_unknown: {
    status: 504,
    cause:
      'The connection to the SMTP server broke or timed out after the message had begun. The server may have accepted the mail.',
    remedy: 'Check whether the mail arrived. If it may arrive twice, send it again with a new `Idempotency-Key`.',
  },
  trap_failed: {
    status: 502,
    cause: 'The mail trap of the local start answered with an error.',
    remedy: 'Read the log of the local stack, or restart it.',
  },
})
