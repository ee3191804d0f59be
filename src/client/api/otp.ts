// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Otp {
  post: {
    /**
     * Send a password by SMS
     * The caller chooses the password and its message. It is on its way when the reply comes, and tried again for a while as long as it is valid. 502 queue_failed: nothing was sent, stored or counted. 504 queue_timeout: it may have been sent, and counts. A send that a rule refuses is answered 429, with the seconds in Retry-After: `ip_limit`, `phone_limit`. The blacklist of the SMS service does not hold for passwords.
     */
    '/sms': {
      params: {
        /** With the country code; of `+7 (701) 123-45-67` the digits count */
        phone: string
        /** Of the user, not of the caller; required if rules for `ips` were set with POST /limit. IPv6 addresses count by their first 64 bits, a subscriber's network */
        ip?: string | undefined
        /** What the user will enter; 1 to 100 characters */
        password: string
        /** Seconds for which it is valid */
        lifetime: number
        /** What is sent, with the password in it */
        message: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'ip_limit' | 'phone_limit' | 'internal_error' | 'queue_failed' | 'database_full' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Send a password by a call, which speaks its characters one by one
     * The caller chooses the password and its message. It is on its way when the reply comes, and tried again for a while as long as it is valid. 502 queue_failed: nothing was sent, stored or counted. 504 queue_timeout: it may have been sent, and counts. A send that a rule refuses is answered 429, with the seconds in Retry-After: `ip_limit`, `phone_limit`. The blacklist of the SMS service does not hold for passwords.
     */
    '/call': {
      params: {
        /** With the country code; of `+7 (701) 123-45-67` the digits count */
        phone: string
        /** Of the user, not of the caller; required if rules for `ips` were set with POST /limit. IPv6 addresses count by their first 64 bits, a subscriber's network */
        ip?: string | undefined
        /** What the user will enter; 1 to 100 characters */
        password: string
        /** Seconds for which it is valid */
        lifetime: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'ip_limit' | 'phone_limit' | 'internal_error' | 'queue_failed' | 'database_full' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Send a password by email
     * The caller chooses the password and its message. It is on its way when the reply comes, and tried again for a while as long as it is valid. 502 queue_failed: nothing was sent, stored or counted. 504 queue_timeout: it may have been sent, and counts. A send that a rule refuses is answered 429, with the seconds in Retry-After: `ip_limit`, `email_limit`.
     */
    '/email': {
      params: {
        /** Capital letters do not count */
        email: string
        /** Of the user, not of the caller; required if rules for `ips` were set with POST /limit. IPv6 addresses count by their first 64 bits, a subscriber's network */
        ip?: string | undefined
        /** What the user will enter; 1 to 100 characters */
        password: string
        /** Seconds for which it is valid */
        lifetime: number
        subject: string
        /** What is sent; this or `html`, or both */
        text?: string | undefined
        html?: string | undefined
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'email_limit' | 'ip_limit' | 'internal_error' | 'queue_failed' | 'database_full' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Send a password by the bot, as plain text, to a chat that has written to it before
     * The caller chooses the password and its message. It is on its way when the reply comes, and tried again for a while as long as it is valid. 502 queue_failed: nothing was sent, stored or counted. 504 queue_timeout: it may have been sent, and counts. A send that a rule refuses is answered 429, with the seconds in Retry-After: `ip_limit`, and `email_limit` for the chat.
     */
    '/chatapp': {
      params: {
        /** Text or an integer, as the platform of the bot gives it */
        chat_id: string | number
        /** Of the user, not of the caller; required if rules for `ips` were set with POST /limit. IPv6 addresses count by their first 64 bits, a subscriber's network */
        ip?: string | undefined
        /** What the user will enter; 1 to 100 characters */
        password: string
        /** Seconds for which it is valid */
        lifetime: number
        /** What is sent, with the password in it */
        message: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'email_limit' | 'ip_limit' | 'internal_error' | 'queue_failed' | 'database_full' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Limit how often passwords are sent by SMS
     * A rule says how many sends are accepted within so many minutes, looking back from each. All rules of a list hold. A list that is given replaces the one before as a whole, an empty one switches the limit off, and one that is left out stays as it is. A list that was never given has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day for a target, 100 an hour for an IP address, of sends that carry one. Rules for `ips` that are given make `ip` required.
     */
    '/limit/sms': {
      params: {
        /** For each IP address; all of them hold */
        ips?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
        /** For each phone; all of them hold */
        phones?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Limit how often passwords are sent by calls
     * A rule says how many sends are accepted within so many minutes, looking back from each. All rules of a list hold. A list that is given replaces the one before as a whole, an empty one switches the limit off, and one that is left out stays as it is. A list that was never given has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day for a target, 100 an hour for an IP address, of sends that carry one. Rules for `ips` that are given make `ip` required.
     */
    '/limit/call': {
      params: {
        /** For each IP address; all of them hold */
        ips?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
        /** For each phone; all of them hold */
        phones?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Limit how often passwords are sent by email
     * A rule says how many sends are accepted within so many minutes, looking back from each. All rules of a list hold. A list that is given replaces the one before as a whole, an empty one switches the limit off, and one that is left out stays as it is. A list that was never given has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day for a target, 100 an hour for an IP address, of sends that carry one. Rules for `ips` that are given make `ip` required.
     */
    '/limit/email': {
      params: {
        /** For each IP address; all of them hold */
        ips?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
        /** For each email address; all of them hold */
        emails?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Limit how often passwords are sent by the bot
     * A rule says how many sends are accepted within so many minutes, looking back from each. All rules of a list hold. A list that is given replaces the one before as a whole, an empty one switches the limit off, and one that is left out stays as it is. A list that was never given has default rules, unless OTP_DEFAULT_LIMITS is off: 10 sends in 10 minutes and 30 a day for a target, 100 an hour for an IP address, of sends that carry one. Rules for `ips` that are given make `ip` required. Rules for chats hold for who writes to the bot too, whose message is not answered then.
     */
    '/limit/chatapp': {
      params: {
        /** For each IP address; all of them hold */
        ips?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
        /** For each chat; all of them hold */
        chats?: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[] | undefined
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /**
     * Check a password that was sent by SMS
     * A right password is used up by that, unless OTP_REUSABLE is set: a repeat is answered `already_used`, and counts nothing. Passwords that have expired, and those of other targets and channels, are wrong. After OTP_MAX_ATTEMPTS wrong ones, 5 unless set, all checks of the target on this channel are answered `attempts_exceeded` until 15 minutes after the last of them; a new password does not end that, and a right one resets the count. After 100 wrong checks in a row while the target had a valid password they are so until DELETE /lock, or until there was no check for 24 hours. HEAD checks nothing.
     */
    '/sms/check': {
      params: {
        /** With the country code; of `+7 (701) 123-45-67` the digits count */
        phone: string
        /** What the user has entered */
        password: string
      }
      reply: {
        /** Whether the password is valid */
        status: boolean
        /** Why it is not. `already_used`: it was right before, and the check is not counted. `attempts_exceeded`: it was not looked at */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Check a password that was sent by a call
     * A right password is used up by that, unless OTP_REUSABLE is set: a repeat is answered `already_used`, and counts nothing. Passwords that have expired, and those of other targets and channels, are wrong. After OTP_MAX_ATTEMPTS wrong ones, 5 unless set, all checks of the target on this channel are answered `attempts_exceeded` until 15 minutes after the last of them; a new password does not end that, and a right one resets the count. After 100 wrong checks in a row while the target had a valid password they are so until DELETE /lock, or until there was no check for 24 hours. HEAD checks nothing.
     */
    '/call/check': {
      params: {
        /** With the country code; of `+7 (701) 123-45-67` the digits count */
        phone: string
        /** What the user has entered */
        password: string
      }
      reply: {
        /** Whether the password is valid */
        status: boolean
        /** Why it is not. `already_used`: it was right before, and the check is not counted. `attempts_exceeded`: it was not looked at */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Check a password that was sent by email
     * A right password is used up by that, unless OTP_REUSABLE is set: a repeat is answered `already_used`, and counts nothing. Passwords that have expired, and those of other targets and channels, are wrong. After OTP_MAX_ATTEMPTS wrong ones, 5 unless set, all checks of the target on this channel are answered `attempts_exceeded` until 15 minutes after the last of them; a new password does not end that, and a right one resets the count. After 100 wrong checks in a row while the target had a valid password they are so until DELETE /lock, or until there was no check for 24 hours. HEAD checks nothing.
     */
    '/email/check': {
      params: {
        /** Capital letters do not count */
        email: string
        /** What the user has entered */
        password: string
      }
      reply: {
        /** Whether the password is valid */
        status: boolean
        /** Why it is not. `already_used`: it was right before, and the check is not counted. `attempts_exceeded`: it was not looked at */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Check a password that was sent by the bot
     * A right password is used up by that, unless OTP_REUSABLE is set: a repeat is answered `already_used`, and counts nothing. Passwords that have expired, and those of other targets and channels, are wrong. After OTP_MAX_ATTEMPTS wrong ones, 5 unless set, all checks of the target on this channel are answered `attempts_exceeded` until 15 minutes after the last of them; a new password does not end that, and a right one resets the count. After 100 wrong checks in a row while the target had a valid password they are so until DELETE /lock, or until there was no check for 24 hours. HEAD checks nothing.
     */
    '/chatapp/check': {
      params: {
        /** Text or an integer, as the platform of the bot gives it */
        chat_id: string | number
        /** What the user has entered */
        password: string
      }
      reply: {
        /** Whether the password is valid */
        status: boolean
        /** Why it is not. `already_used`: it was right before, and the check is not counted. `attempts_exceeded`: it was not looked at */
        status_code?: 'wrong_password' | 'already_used' | 'attempts_exceeded'
        message?: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read the rules in force on the channel */
    '/limit/sms': {
      params: None
      reply: {
        /** For each IP address; all of them hold */
        ips: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
        /** For each phone; all of them hold */
        phones: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read the rules in force on the channel */
    '/limit/call': {
      params: None
      reply: {
        /** For each IP address; all of them hold */
        ips: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
        /** For each phone; all of them hold */
        phones: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read the rules in force on the channel */
    '/limit/email': {
      params: None
      reply: {
        /** For each IP address; all of them hold */
        ips: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
        /** For each email address; all of them hold */
        emails: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read the rules in force on the channel */
    '/limit/chatapp': {
      params: None
      reply: {
        /** For each IP address; all of them hold */
        ips: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
        /** For each chat; all of them hold */
        chats: {
          /** Looking back from each send */
          minutes: number
          /** How many sends are accepted in that time */
          rate: number
        }[]
      }
      errors: 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Read whom a password was sent to last
     * Also one that was used up meanwhile, until it expires. 404 if nobody was sent it. 429 target_limit after 20 of these within a minute for an `ip`, or after 200 by all calls of the channel without one.
     */
    '/target': {
      params: {
        /** What the user has entered */
        password: string
        /** Where it was sent */
        channel: 'sms' | 'call' | 'email' | 'chatapp'
        /** The end user's IP address: 20 unknown passwords a minute are answered for each; without it 200 a minute for all calls of the channel together */
        ip?: string | undefined
      }
      reply: {
        target: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'target_not_found' | 'payload_too_large' | 'target_limit' | 'internal_error' | 'not_configured'
    }
    /**
     * Read the newest valid password of a target, on whatever channel
     * One that is used up or has expired is not valid. 404 where there is none.
     */
    '/password': {
      params: {
        /** A phone, an email address or the id of a chat */
        target: string
      }
      reply: {
        password: string
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'password_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List what was sent lately, the newest first
     * With neither a password nor all of a target. What has expired is here until it is swept, within a minute or so.
     */
    '/sends': {
      params: {
        /** Send to start from, itself left out */
        id?: number | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
      }
      reply: {
        sends: {
          id: number
          channel: 'sms' | 'call' | 'email' | 'chatapp'
          /** In part: the last three digits of a phone, the first letter of an email address and its domain */
          target: string
          state: 'valid' | 'used' | 'expired'
          /** UTC */
          created_at: string
          /** UTC */
          expires_at: string
          used_at: string | null
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List the bot's messages that a local start has caught, the newest first
     * Where there is a bot, as there is deployed, there is no such path: 404. They are kept for a week.
     */
    '/messages': {
      params: {
        /** Text or an integer, as the platform of the bot gives it */
        chat_id?: string | number | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
      }
      reply: {
        messages: {
          id: number
          chat_id: string
          /** Null where OTP_SECRET is another one since */
          text: string | null
          /** UTC */
          created_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'route_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Unlock a target
     * Forgets the wrong checks of a target on a channel, so that its passwords can be checked again. Fine if it is not locked.
     */
    '/lock': {
      params: {
        /** Where the passwords were sent */
        channel: 'sms' | 'call' | 'email' | 'chatapp'
        /** A phone, an email address or the id of a chat */
        target: string
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Forget the bot's messages that a local start has caught */
    '/messages': {
      params: None
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'route_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
