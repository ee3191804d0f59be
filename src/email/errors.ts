import { defineErrors, peerErrors } from '#core/failure'

const { media_failed } = peerErrors('media')

export const { errors, failure, missing } = defineErrors({
  media_failed,
  message_not_found: {
    status: 404,
    cause: 'The local start has caught no mail with this id, or has dropped it: it keeps the newest 1000.',
    remedy: 'List the mails with `GET /messages`.',
  },
  smtp_failed: {
    status: 502,
    cause:
      "The SMTP server could not be reached or refused the mail, which has certainly not gone out. `content` has the step and the server's reply.",
    remedy:
      'With `Retry-After`, retry after these seconds. Else correct the sender, the recipients or the message, or the SMTP settings of the component.',
  },
  smtp_outcome_unknown: {
    status: 504,
    cause:
      'The connection to the SMTP server was lost or silent after the message had begun. The server may have taken the mail.',
    remedy: 'Check whether the mail arrived. If it may arrive twice, send it again with a new `Idempotency-Key`.',
  },
  trap_failed: {
    status: 502,
    cause: 'The mail trap of the local start answered with an error.',
    remedy: 'Look at its log, or restart the local stack.',
  },
})
