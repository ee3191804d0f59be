import { defineErrors, peerErrors } from '#core/failure'

export const { errors, failure } = defineErrors({
  ...peerErrors('queue'),
  chatapp_failed: {
    status: 502,
    cause: 'The platform of the bot could not take the message now.',
    remedy: 'Retry after the seconds in `Retry-After`, as the queue does until the password expires.',
  },
  email_limit: {
    status: 429,
    cause: 'Too many passwords were sent to this email address or chat.',
    remedy: 'Retry after the seconds in `Retry-After`. The rules are at `GET /limit/email` and `GET /limit/chatapp`.',
  },
  ip_limit: {
    status: 429,
    cause: 'Too many passwords were sent for this IP address.',
    remedy: 'Retry after the seconds in `Retry-After`. The rules are at `GET /limit/<channel>`.',
  },
  password_not_found: {
    status: 404,
    cause: 'The target has no valid password: none was sent to it, or all of them were used or have expired.',
    remedy: 'Send a new password to the target.',
  },
  phone_limit: {
    status: 429,
    cause: 'Too many passwords were sent to this phone.',
    remedy: 'Retry after the seconds in `Retry-After`. The rules are at `GET /limit/sms` and `GET /limit/call`.',
  },
  target_limit: {
    status: 429,
    cause: 'Too many unknown passwords were looked up, for this `ip` or by calls without one.',
    remedy: 'Retry after the seconds in `Retry-After`, and pass the IP address of the end user as `ip`.',
  },
  target_not_found: {
    status: 404,
    cause: 'This password was sent to nobody on the channel, or it has expired.',
    remedy: 'Ask the user to enter the password again, or send a new one.',
  },
})

/** Errors of sends to phones. */
export const phoneSend = ['ip_limit', 'phone_limit', 'queue_failed', 'queue_timeout'] as const
/** Errors of sends to email addresses and chats. */
export const emailSend = ['email_limit', 'ip_limit', 'queue_failed', 'queue_timeout'] as const
