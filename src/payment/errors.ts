// Error codes of the payment API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, failure } = defineErrors({
  transaction_not_found: {
    status: 404,
    cause: 'No payment has this id or code.',
    remedy: 'List the payments with `GET /transactions`. With both `id` and `code`, one payment must have both.',
  },
  webhook_processing: {
    status: 409,
    cause: 'The webhook of this payment is being sent.',
    remedy: 'Retry after the seconds in `Retry-After`, or read the result with `GET /transaction`.',
  },
})
