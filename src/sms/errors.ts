import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  call_failed: {
    status: 502,
    cause: 'No provider is known to have taken any of the calls. `content.messages` has the reason for each phone.',
    remedy:
      'Retry with the same `Idempotency-Key`, after the seconds in `Retry-After` if there are any. With `allow_duplicates`, a phone may be called twice.',
  },
  message_not_found: {
    status: 404,
    cause: 'No message has this id, or it was deleted after `SMS_RETENTION`.',
    remedy: 'List the messages with `GET /messages`.',
  },
  not_blacklisted: {
    status: 400,
    cause: 'The phone is not on the blacklist.',
    remedy: 'None is needed: messages are sent to this phone. Add it with `POST /blacklist`.',
  },
  provider_not_found: {
    status: 404,
    cause: 'The path names no provider that is configured with a driver that reports deliveries.',
    remedy: 'Use the address that was sent to the provider, and configure the driver of the provider.',
  },
  sms_failed: {
    status: 502,
    cause: 'No provider is known to have taken any of the messages. `content.messages` has the reason for each phone.',
    remedy:
      'Retry with the same `Idempotency-Key`, after the seconds in `Retry-After` if there are any. With `allow_duplicates`, a phone may get the message twice.',
  },
})
