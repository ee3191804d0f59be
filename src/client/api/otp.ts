// Types of the operations of otp, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Otp {
  post: {
    /**
     * Send a password by SMS
     * The password comes from your application; `GET /<channel>/check` checks what the user enters. The reply has no content. It means that the queue has accepted the message; the queue retries until the password expires. After 502 `queue_failed` nothing was sent, stored or counted. After 504 `queue_timeout` the password may have been sent, and counts. If a rule of the channel rejects the send, the reply is 429 with `Retry-After` in seconds. The error is `ip_limit` or `phone_limit`. Phones on the blacklist of the SMS component get passwords too.
     */
    '/sms': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string
        /** IP address of the end user, not of your server. Required if you have set rules for `ips` with `POST /limit/<channel>`. IPv6 addresses are counted by their /64 network */
        ip?: string | undefined
        /** Password that the user has to enter, 1 to 100 characters. Generate it at random */
        password: string
        /** How long the password is valid, in seconds, 1 to 86400 */
        lifetime: number
        /** Text of the message, 1 to 1600 characters. Write the password into it: the text is sent unchanged, and `password` is not inserted */
        message: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'ip_limit' | 'phone_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
    /**
     * Send a password by voice call
     * The call reads the characters of the password aloud, one by one. The password comes from your application; `GET /<channel>/check` checks what the user enters. The reply has no content. It means that the queue has accepted the message; the queue retries until the password expires. After 502 `queue_failed` nothing was sent, stored or counted. After 504 `queue_timeout` the password may have been sent, and counts. If a rule of the channel rejects the send, the reply is 429 with `Retry-After` in seconds. The error is `ip_limit` or `phone_limit`. Phones on the blacklist of the SMS component get passwords too.
     */
    '/call': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string
        /** IP address of the end user, not of your server. Required if you have set rules for `ips` with `POST /limit/<channel>`. IPv6 addresses are counted by their /64 network */
        ip?: string | undefined
        /** Password that the user has to enter, 1 to 100 characters. Generate it at random */
        password: string
        /** How long the password is valid, in seconds, 1 to 86400 */
        lifetime: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'ip_limit' | 'phone_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
    /**
     * Send a password by email
     * The password comes from your application; `GET /<channel>/check` checks what the user enters. The reply has no content. It means that the queue has accepted the message; the queue retries until the password expires. After 502 `queue_failed` nothing was sent, stored or counted. After 504 `queue_timeout` the password may have been sent, and counts. If a rule of the channel rejects the send, the reply is 429 with `Retry-After` in seconds. The error is `ip_limit` or `email_limit`.
     */
    '/email': {
      params: {
        /** Email address. Upper and lower case are the same */
        email: string
        /** IP address of the end user, not of your server. Required if you have set rules for `ips` with `POST /limit/<channel>`. IPv6 addresses are counted by their /64 network */
        ip?: string | undefined
        /** Password that the user has to enter, 1 to 100 characters. Generate it at random */
        password: string
        /** How long the password is valid, in seconds, 1 to 86400 */
        lifetime: number
        /** Subject of the mail: one line, at most 998 characters */
        subject: string
        /** Plain text of the mail, at most 1000000 characters. Write the password into it: it is sent unchanged. Required unless there is `html` */
        text?: string | undefined
        /** HTML of the mail, at most 1000000 characters. Write the password into it: it is sent unchanged. Required unless there is `text` */
        html?: string | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'email_limit' | 'ip_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
    /**
     * Send a password through the messenger bot
     * The bot sends plain text to a chat that has written to the bot before. The password comes from your application; `GET /<channel>/check` checks what the user enters. The reply has no content. It means that the queue has accepted the message; the queue retries until the password expires. After 502 `queue_failed` nothing was sent, stored or counted. After 504 `queue_timeout` the password may have been sent, and counts. If a rule of the channel rejects the send, the reply is 429 with `Retry-After` in seconds. The error is `ip_limit`, or `email_limit` for the chat.
     */
    '/chatapp': {
      params: {
        /** Id of the chat, as the bot platform sends it: a string or an integer */
        chat_id: string | number
        /** IP address of the end user, not of your server. Required if you have set rules for `ips` with `POST /limit/<channel>`. IPv6 addresses are counted by their /64 network */
        ip?: string | undefined
        /** Password that the user has to enter, 1 to 100 characters. Generate it at random */
        password: string
        /** How long the password is valid, in seconds, 1 to 86400 */
        lifetime: number
        /** Text of the message, 1 to 4096 characters. Write the password into it: the text is sent unchanged, and `password` is not inserted */
        message: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'email_limit' | 'ip_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
    /**
     * Check a password that was sent by SMS
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. The same as `GET /sms/check`, with the parameters in the body, so that no URL has them.
     */
    '/sms/check': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Check a password that was sent by voice call
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. The same as `GET /call/check`, with the parameters in the body, so that no URL has them.
     */
    '/call/check': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Check a password that was sent by email
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. The same as `GET /email/check`, with the parameters in the body, so that no URL has them.
     */
    '/email/check': {
      params: {
        /** Email address. Upper and lower case are the same */
        email: string
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Check a password that was sent through the bot
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. The same as `GET /chatapp/check`, with the parameters in the body, so that no URL has them.
     */
    '/chatapp/check': {
      params: {
        /** Id of the chat, as the bot platform sends it: a string or an integer */
        chat_id: string | number
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Set the limits of passwords by SMS
     * A rule allows `rate` sends within `minutes`, counted back from each send (sliding window). All rules of a list apply.
     *
     * A list that you pass replaces the previous list completely. An empty list removes the limit. A list that you leave out stays unchanged.
     *
     * A list that was never set has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day per target; 100 an hour per IP address, for sends with `ip`. While you have set rules for `ips`, `ip` is required; an empty list makes it optional again. A list that was set, even an empty one, never returns to the default rules.
     */
    '/limit/sms': {
      params: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
        /** Rules for each phone, at most 20. All rules apply */
        phones?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Set the limits of passwords by voice call
     * A rule allows `rate` sends within `minutes`, counted back from each send (sliding window). All rules of a list apply.
     *
     * A list that you pass replaces the previous list completely. An empty list removes the limit. A list that you leave out stays unchanged.
     *
     * A list that was never set has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day per target; 100 an hour per IP address, for sends with `ip`. While you have set rules for `ips`, `ip` is required; an empty list makes it optional again. A list that was set, even an empty one, never returns to the default rules.
     */
    '/limit/call': {
      params: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
        /** Rules for each phone, at most 20. All rules apply */
        phones?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Set the limits of passwords by email
     * A rule allows `rate` sends within `minutes`, counted back from each send (sliding window). All rules of a list apply.
     *
     * A list that you pass replaces the previous list completely. An empty list removes the limit. A list that you leave out stays unchanged.
     *
     * A list that was never set has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day per target; 100 an hour per IP address, for sends with `ip`. While you have set rules for `ips`, `ip` is required; an empty list makes it optional again. A list that was set, even an empty one, never returns to the default rules.
     */
    '/limit/email': {
      params: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
        /** Rules for each email address, at most 20. All rules apply */
        emails?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Set the limits of passwords through the bot
     * A rule allows `rate` sends within `minutes`, counted back from each send (sliding window). All rules of a list apply.
     *
     * A list that you pass replaces the previous list completely. An empty list removes the limit. A list that you leave out stays unchanged.
     *
     * A list that was never set has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day per target; 100 an hour per IP address, for sends with `ip`. While you have set rules for `ips`, `ip` is required; an empty list makes it optional again. A list that was set, even an empty one, never returns to the default rules. Rules for chats also apply to users who write to the bot: once a limit is reached, the bot does not answer.
     */
    '/limit/chatapp': {
      params: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
        /** Rules for each chat, at most 20. All rules apply */
        chats?: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[] | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the target of a password
     * Returns the phone, email address or chat to which the password was sent last on the channel, also if the password has been used, until it expires. Returns 404 if the password was not sent. After 20 unknown passwords per minute for one `ip`, or 200 per minute for all requests of the channel without `ip`, the reply is 429 `target_limit`. The same as `GET /target`, with the parameters in the body, so that no URL has them.
     */
    '/target': {
      params: {
        /** Password that the user entered, 1 to 100 characters */
        password: string
        /** Channel on which the password was sent */
        channel: 'sms' | 'call' | 'email' | 'chatapp'
        /** IP address of the end user. Each address may look up 20 unknown passwords per minute. All requests of the channel without `ip` share a limit of 200 per minute */
        ip?: string | undefined
      }
      reply: {
        /** Phone (digits only), email address or id of a chat */
        target: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'target_not_found' | 'payload_too_large' | 'rate_limit' | 'target_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the newest valid password of a target
     * Searches all channels. Used and expired passwords are not valid. Returns 404 if the target has no valid password. The same as `GET /password`, with the parameters in the body, so that no URL has them.
     */
    '/password': {
      params: {
        /** Phone, email address or id of a chat, 1 to 320 characters */
        target: string
      }
      reply: {
        /** The password in plain text */
        password: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'password_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the caught messages of the bot
     * Only on a local start without a bot: the messages are stored instead of sent, and deleted after a week. Returns them newest first. If a bot is configured, the reply is 404 `route_not_found`. The same as `GET /messages`, with the parameters in the body, so that no URL has them.
     */
    '/messages': {
      params: {
        /** Only messages to this chat */
        chat_id?: string | number | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** The messages, newest first */
        messages: {
          /** Id of the message */
          id: number
          /** Id of the chat */
          chat_id: string
          /** Text of the message. Null if OTP_SECRET has changed since */
          text: string | null
          /** When the message was stored */
          created_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * Check a password that was sent by SMS
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. A URL may be stored in logs and histories: `POST /sms/check` takes the same parameters in the body.
     */
    '/sms/check': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Check a password that was sent by voice call
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. A URL may be stored in logs and histories: `POST /call/check` takes the same parameters in the body.
     */
    '/call/check': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Check a password that was sent by email
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. A URL may be stored in logs and histories: `POST /email/check` takes the same parameters in the body.
     */
    '/email/check': {
      params: {
        /** Email address. Upper and lower case are the same */
        email: string
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Check a password that was sent through the bot
     * The reply is 200 for a wrong password too: read `status`. A correct password is used up by the check, unless OTP_REUSABLE is set. Checking a used password again returns `already_used` and is not counted. Expired passwords, and those of other targets or channels, are wrong.
     *
     * After OTP_MAX_ATTEMPTS wrong checks (default: 5) the target is locked on this channel: all checks return `attempts_exceeded` until 15 minutes after the last wrong check. A check that returns `attempts_exceeded` does not prolong this time. A new password does not end the lock. A correct check resets the count.
     *
     * After 100 consecutive wrong checks while the target had a valid password, the lock lasts until DELETE /lock, or until 24 hours have passed without any check, even one that returns `attempts_exceeded`.
     *
     * A HEAD request checks no password. A URL may be stored in logs and histories: `POST /chatapp/check` takes the same parameters in the body.
     */
    '/chatapp/check': {
      params: {
        /** Id of the chat, as the bot platform sends it: a string or an integer */
        chat_id: string | number
        /** Password that the user entered, 1 to 100 characters */
        password: string
      }
      reply: {
        /** Whether the password is correct and valid */
        status: boolean
        /** Why the check failed. `wrong_password`: the password is wrong or has expired. `already_used`: the password was correct and has been used; the check is not counted. `attempts_exceeded`: the target is locked, and the password was not checked */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        /** Explanation of `status_code` in English, for developers. Missing if `status` is true */
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the limits of a channel
     * Returns the rules in force: those that you set, and the default rules for each list that you have not set.
     */
    '/limit/sms': {
      params: None
      reply: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
        /** Rules for each phone, at most 20. All rules apply */
        phones: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the limits of a channel
     * Returns the rules in force: those that you set, and the default rules for each list that you have not set.
     */
    '/limit/call': {
      params: None
      reply: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
        /** Rules for each phone, at most 20. All rules apply */
        phones: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the limits of a channel
     * Returns the rules in force: those that you set, and the default rules for each list that you have not set.
     */
    '/limit/email': {
      params: None
      reply: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
        /** Rules for each email address, at most 20. All rules apply */
        emails: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the limits of a channel
     * Returns the rules in force: those that you set, and the default rules for each list that you have not set.
     */
    '/limit/chatapp': {
      params: None
      reply: {
        /** Rules for each IP address, at most 20. All rules apply */
        ips: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
        /** Rules for each chat, at most 20. All rules apply */
        chats: {
          /** Length of the sliding window in minutes, 1 to 525600 (a year) */
          minutes: number
          /** Sends allowed within the window, 1 to 10000 */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the target of a password
     * Returns the phone, email address or chat to which the password was sent last on the channel, also if the password has been used, until it expires. Returns 404 if the password was not sent. After 20 unknown passwords per minute for one `ip`, or 200 per minute for all requests of the channel without `ip`, the reply is 429 `target_limit`. A URL may be stored in logs and histories: `POST /target` takes the same parameters in the body.
     */
    '/target': {
      params: {
        /** Password that the user entered, 1 to 100 characters */
        password: string
        /** Channel on which the password was sent */
        channel: 'sms' | 'call' | 'email' | 'chatapp'
        /** IP address of the end user. Each address may look up 20 unknown passwords per minute. All requests of the channel without `ip` share a limit of 200 per minute */
        ip?: string | undefined
      }
      reply: {
        /** Phone (digits only), email address or id of a chat */
        target: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'target_not_found' | 'payload_too_large' | 'rate_limit' | 'target_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get the newest valid password of a target
     * Searches all channels. Used and expired passwords are not valid. Returns 404 if the target has no valid password. A URL may be stored in logs and histories: `POST /password` takes the same parameters in the body.
     */
    '/password': {
      params: {
        /** Phone, email address or id of a chat, 1 to 320 characters */
        target: string
      }
      reply: {
        /** The password in plain text */
        password: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'password_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List recent sends
     * Returns the sent passwords, newest first, without the passwords themselves and with masked targets. Expired entries are deleted within about a minute. Pass the last `id` of a page as `id` to get the next page.
     */
    '/sends': {
      params: {
        /** Exclusive cursor: returns the sends before the one with this id */
        id?: number | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
      }
      reply: {
        /** The sends, newest first */
        sends: {
          /** Id of the send */
          id: number
          /** Channel of the send */
          channel: 'sms' | 'call' | 'email' | 'chatapp'
          /** Masked target: the last three digits of a phone, or the first letter of an email address and its domain */
          target: string
          /** State of the password */
          state: 'valid' | 'used' | 'expired'
          /** When the password was sent to the queue */
          created_at: string
          /** When the password expires */
          expires_at: string
          /** When the password was checked successfully; null if it was not */
          used_at: string | null
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List the caught messages of the bot
     * Only on a local start without a bot: the messages are stored instead of sent, and deleted after a week. Returns them newest first. If a bot is configured, the reply is 404 `route_not_found`. A URL may be stored in logs and histories: `POST /messages` takes the same parameters in the body.
     */
    '/messages': {
      params: {
        /** Only messages to this chat */
        chat_id?: string | number | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** The messages, newest first */
        messages: {
          /** Id of the message */
          id: number
          /** Id of the chat */
          chat_id: string
          /** Text of the message. Null if OTP_SECRET has changed since */
          text: string | null
          /** When the message was stored */
          created_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Unlock a target
     * Deletes the counted wrong checks of a target on a channel, so that its passwords can be checked again. Succeeds if the target is not locked.
     */
    '/lock': {
      params: {
        /** Channel on which the target is locked */
        channel: 'sms' | 'call' | 'email' | 'chatapp'
        /** Phone, email address or id of a chat, 1 to 320 characters */
        target: string
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Delete the caught messages of the bot
     * Only on a local start without a bot; otherwise the reply is 404 `route_not_found`.
     */
    '/messages': {
      params: None
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
