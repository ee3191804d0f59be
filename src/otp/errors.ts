// Error codes of the API of one-time passwords, each with its status, cause and remedy.
import { defineErrors, peerErrors } from '#core/failure'

export const { errors, failure } = defineErrors({
  ...peerErrors('queue'),
  chatapp_failed: {
    status: 502,
    cause: 'The bot platform could not take the message at the moment.',
    remedy: 'Retry after `Retry-After` seconds. The queue does so until the password expires.',
  },
  email_limit: {
    status: 429,
    cause: 'Too many passwords were sent to this email address or chat.',
    remedy: 'Retry after `Retry-After` seconds. Read the rules with `GET /limit/email` and `GET /limit/chatapp`.',
  },
  ip_limit: {
    status: 429,
    cause: 'Too many passwords were sent for this IP address.',
    remedy: 'Retry after `Retry-After` seconds. Read the rules with `GET /limit/<channel>`.',
  },
  password_not_found: {
    status: 404,
    cause: 'The target has no valid password: none was sent, or all were used or have expired.',
    remedy: 'Send a new password to the target.',
  },
  phone_limit: {
    status: 429,
    cause: 'Too many passwords were sent to this phone.',
    remedy: 'Retry after `Retry-After` seconds. Read the rules with `GET /limit/sms` and `GET /limit/call`.',
  },
  target_limit: {
    status: 429,
    cause: 'Too many unknown passwords were looked up for this `ip`, or by requests without `ip`.',
    remedy: 'Retry after `Retry-After` seconds, and pass the IP address of the end user as `ip`.',
  },
  target_not_found: {
    status: 404,
    cause: 'This password was not sent on the channel, or it has expired.',
    remedy: 'Ask the user to enter the password again, or send a new one.',
  },
})

/** Errors of sends by SMS and voice call. */
export const phoneSend = ['ip_limit', 'phone_limit', 'queue_failed', 'queue_timeout'] as const
/** Errors of sends by email and through the bot. */
export const emailSend = ['email_limit', 'ip_limit', 'queue_failed', 'queue_timeout'] as const
