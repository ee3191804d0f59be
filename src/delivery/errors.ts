// Error codes of the deliveries' API, each with its status, cause and remedy.
import { defineErrors, peerErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  ...peerErrors('queue'),
  data_url_failed: {
    status: 502,
    cause: 'The `data_url` did not return the recipients of a piece.',
    remedy: 'The queue fetches the piece again after the seconds in `Retry-After`.',
  },
  delivery_canceled: {
    status: 409,
    cause: 'The delivery was canceled.',
    remedy: 'Start another one with `POST /delivery/copy`.',
  },
  delivery_finished: {
    status: 409,
    cause: 'The delivery has finished.',
    remedy:
      'Send failed messages again with `POST /delivery/retry`, or start another delivery with `POST /delivery/copy`.',
  },
  delivery_not_found: {
    status: 404,
    cause: 'No delivery has this id.',
    remedy: 'List the deliveries with `GET /deliveries`.',
  },
  delivery_started: {
    status: 409,
    cause: 'The delivery has not finished.',
    remedy: 'Wait until its `status` is `finished`.',
  },
  piece_busy: {
    status: 503,
    cause: 'The piece is being fetched, or waits for its next attempt.',
    remedy: 'The queue calls again after the seconds in `Retry-After`.',
  },
  range_fixed: {
    status: 409,
    cause: '`min`, `max` and `gap` cannot be changed after the first piece was fetched.',
    remedy: 'Pass the present values, or cancel the delivery and start another one.',
  },
  recipients_deleted: {
    status: 409,
    cause: 'The recipients were deleted: `DELIVERY_RETRY_DAYS` have passed since the delivery finished.',
    remedy: 'Start another delivery whose `data_url` returns only the recipients that were not reached.',
  },
})

/** Errors of calls that create queue tasks. A change can create tasks too: it begins a delivery whose start was interrupted. */
export const queued = ['queue_failed', 'queue_timeout'] as const
/** Errors of calls that change a running delivery. */
export const ended = ['delivery_canceled', 'delivery_finished', 'delivery_not_found', ...queued] as const
