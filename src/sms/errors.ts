// Error codes of the SMS gateway's API, each with its status, cause and remedy.
import { defineErrors } from '#core/failure'

export const { errors, failure, missing } = defineErrors({
  call_failed: {
    status: 502,
    cause:
      'Every call is `failed`, so certainly no phone was called. With `allow_duplicates`, calls can also be `unknown`. `content.messages` has the reason for each phone.',
    remedy:
      'Retry with the same `Idempotency-Key`, after `Retry-After` seconds if the reply has this header. With `allow_duplicates`, a phone may be called twice.',
  },
  message_not_found: {
    status: 404,
    cause: 'No message has this id, or the message was deleted after `SMS_RETENTION` seconds.',
    remedy: 'List the messages with `GET /messages`.',
  },
  not_blacklisted: {
    status: 400,
    cause: 'The phone is not on the blacklist.',
    remedy: 'No action is needed: messages are sent to this phone. Add the phone with `POST /blacklist`.',
  },
  provider_not_found: {
    status: 404,
    cause: 'The path does not name a configured provider whose driver supports delivery receipts.',
    remedy: 'Use `/receipt/provider_a` to `/receipt/provider_d`, and configure the driver of that provider.',
  },
  sms_failed: {
    status: 502,
    cause:
      'Every message is `failed`, so certainly no phone got it. With `allow_duplicates`, messages can also be `unknown`. `content.messages` has the reason for each phone.',
    remedy:
      'Retry with the same `Idempotency-Key`, after `Retry-After` seconds if the reply has this header. With `allow_duplicates`, a phone may get the message twice.',
  },
})
