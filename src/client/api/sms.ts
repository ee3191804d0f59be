// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Sms {
  post: {
    /**
     * Send a text message to phones
     * The reply has what became of each, in the order of the phones. It comes when all providers have answered, within 100 seconds: what has not begun after 85 is failed, not_attempted. While the circuits of all providers are open, messages fail with circuit_open, and a 502 has Retry-After. A provider that is busy and says until when, for at most 10 seconds, is waited for, up to three times. 502 sms_failed only if certainly no phone got anything, blacklisted ones aside, or with allow_duplicates if none is known to have got anything; its content.messages says why, and a repeat with the same key tries again. A text of the GSM 03.38 alphabet goes out as one segment of 160 characters or several of 153, any other as one of 70 or several of 67.
     */
    '/sms': {
      params: {
        /** A phone, a comma-separated list of them, or an array, 1 to 1000 with their country codes. Of each spaces and `+ ( ) - .` are taken off; what is left must be 7 to 15 digits. A phone that comes twice gets one message. Where some are bad none gets any, and `errors` has `phones.<position>` of each, counted from 0. */
        phones: string | number | (string | number)[]
        /** The text, at most 1600 characters of UTF-16; a long one goes out as several segments */
        message: string
        /** `true`: blacklisted phones get it too; `false` unless given */
        force?: boolean | undefined
        /** `true`: a message whose outcome is unknown is offered to the next provider, and 502 is answered if no message is known to be sent, so that a repeat with the same Idempotency-Key sends again. For texts that may arrive twice, such as one-time passwords; `false` unless given */
        allow_duplicates?: boolean | undefined
        /** `SMS_PROVIDER` unless given */
        provider?: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | undefined
      }
      reply: {
        messages: {
          /** Identity of the message in the gateway */
          id: number
          phone: string
          /** `sent`: a provider has taken it. `blacklisted`: nobody was asked, or the provider says that the recipient has opted out (`unsubscribed`). `unknown`: a provider may have taken it, but its answer did not come. `failed`: certainly nobody has taken it. */
          state: 'sent' | 'blacklisted' | 'unknown' | 'failed'
          /** Who has taken it, or was asked last; null where nobody was */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Identity of the message at the provider, where it gives one */
          provider_id: string | null
          /** Short messages that the text takes; null of a call */
          segments: number | null
          /** Why it was not sent, or is not known to be. What the provider says: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. What became of the call of the provider: `unreachable`, `timeout`, `unreadable`. `not_attempted`: no provider was asked. `circuit_open`: no provider was asked, since all have failed lately. `interrupted`: the gateway died meanwhile. */
          reason?: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'sms_failed' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Call phones, and speak a text
     * As POST /sms, except that only provider_a is asked, by a driver that can call: smsc, twilio, http or log. 502 is call_failed.
     */
    '/call': {
      params: {
        /** A phone, a comma-separated list of them, or an array, 1 to 1000 with their country codes. Of each spaces and `+ ( ) - .` are taken off; what is left must be 7 to 15 digits. A phone that comes twice gets one message. Where some are bad none gets any, and `errors` has `phones.<position>` of each, counted from 0. */
        phones: string | number | (string | number)[]
        /** What is spoken, at most 1600 characters of UTF-16 */
        message: string
        /** `true`: blacklisted phones get it too; `false` unless given */
        force?: boolean | undefined
        /** `true`: a message whose outcome is unknown is offered to the next provider, and 502 is answered if no message is known to be sent, so that a repeat with the same Idempotency-Key sends again. For texts that may arrive twice, such as one-time passwords; `false` unless given */
        allow_duplicates?: boolean | undefined
        /** Only `provider_a` can call. `SMS_PROVIDER` unless given */
        provider?: 'provider_a' | undefined
      }
      reply: {
        messages: {
          /** Identity of the message in the gateway */
          id: number
          phone: string
          /** `sent`: a provider has taken it. `blacklisted`: nobody was asked, or the provider says that the recipient has opted out (`unsubscribed`). `unknown`: a provider may have taken it, but its answer did not come. `failed`: certainly nobody has taken it. */
          state: 'sent' | 'blacklisted' | 'unknown' | 'failed'
          /** Who has taken it, or was asked last; null where nobody was */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Identity of the message at the provider, where it gives one */
          provider_id: string | null
          /** Short messages that the text takes; null of a call */
          segments: number | null
          /** Why it was not sent, or is not known to be. What the provider says: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. What became of the call of the provider: `unreachable`, `timeout`, `unreadable`. `not_attempted`: no provider was asked. `circuit_open`: no provider was asked, since all have failed lately. `interrupted`: the gateway died meanwhile. */
          reason?: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'call_failed' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Put a phone on the blacklist
     * It gets no messages and no calls, unless a request has `force`. One that is there already stays.
     */
    '/blacklist': {
      params: {
        /** A phone with its country code: 7 to 15 digits; spaces and `+ ( ) - .` are taken off */
        phone: string | number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured'
    }
  }
  delete: {
    /**
     * Take a phone off the blacklist
     * Fine where it is not there.
     */
    '/blacklist': {
      params: {
        /** A phone with its country code: 7 to 15 digits; spaces and `+ ( ) - .` are taken off */
        phone: string | number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /**
     * See whether a phone is on the blacklist
     * Since when it is; 400 not_blacklisted where it is not.
     */
    '/blacklist': {
      params: {
        /** A phone with its country code: 7 to 15 digits; spaces and `+ ( ) - .` are taken off */
        phone: string | number
      }
      reply: {
        blacklist: {
          phone: string
          /** UTC */
          created_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'not_blacklisted' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List what was sent, the newest first
     * Calls and blacklisted phones too. Of what the driver log took on a local start also the text.
     */
    '/messages': {
      params: {
        /** A phone with its country code: 7 to 15 digits; spaces and `+ ( ) - .` are taken off */
        phone?: string | number | undefined
        state?: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted' | undefined
        provider?: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | undefined
        kind?: 'sms' | 'call' | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        messages: {
          /** Identity of the message in the gateway */
          id: number
          kind: 'sms' | 'call'
          phone: string
          /** `queued` and `sending` while a request is at it, then `sent`, `unknown`, `failed` or `blacklisted`. A receipt makes it `delivered`, `undelivered`, `expired` or `rejected`. */
          state: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted'
          /** Why it was not sent, or is not known to be. What the provider says: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. What became of the call of the provider: `unreachable`, `timeout`, `unreadable`. `not_attempted`: no provider was asked. `circuit_open`: no provider was asked, since all have failed lately. `interrupted`: the gateway died meanwhile. */
          reason: string | null
          /** Who has taken it, or was asked last; null where nobody was */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Identity of the message at the provider, where it gives one */
          provider_id: string | null
          /** Short messages that the text takes; null of a call */
          segments: number | null
          /** The provider's own word or number in its last receipt */
          receipt_code: string | null
          /** Only on a local start, of what the driver `log` has taken */
          text?: string
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Read what became of a message */
    '/message': {
      params: {
        /** Identity of the message in the gateway */
        id: number
      }
      reply: {
        message: {
          /** Identity of the message in the gateway */
          id: number
          kind: 'sms' | 'call'
          phone: string
          /** `queued` and `sending` while a request is at it, then `sent`, `unknown`, `failed` or `blacklisted`. A receipt makes it `delivered`, `undelivered`, `expired` or `rejected`. */
          state: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted'
          /** Why it was not sent, or is not known to be. What the provider says: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. What became of the call of the provider: `unreachable`, `timeout`, `unreadable`. `not_attempted`: no provider was asked. `circuit_open`: no provider was asked, since all have failed lately. `interrupted`: the gateway died meanwhile. */
          reason: string | null
          /** Who has taken it, or was asked last; null where nobody was */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Identity of the message at the provider, where it gives one */
          provider_id: string | null
          /** Short messages that the text takes; null of a call */
          segments: number | null
          /** The provider's own word or number in its last receipt */
          receipt_code: string | null
          /** Only on a local start, of what the driver `log` has taken */
          text?: string
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'message_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
}
