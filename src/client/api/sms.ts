// Types of the operations of sms, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Sms {
  post: {
    /**
     * Send a text message
     * Sends the text to each phone and returns one result per phone, in the order of the phones. The reply comes after all providers have answered, within 100 seconds. Messages that the gateway could not begin to send within 85 seconds are `failed` with the reason `not_attempted`.
     *
     * If a provider is busy and names a waiting time of at most 10 seconds, the gateway waits and retries, up to three times. If the circuits of all providers are open, messages fail with the reason `circuit_open`, and a 502 has `Retry-After`.
     *
     * 502 `sms_failed` means that every message is `failed`: certainly no phone got it. With `allow_duplicates` messages can also be `unknown` then. `content.messages` has the result for each phone, and a retry with the same `Idempotency-Key` sends again. If at least one message is `sent` or `blacklisted`, or `unknown` without `allow_duplicates`, the reply is 200 with all results.
     *
     * A text that uses only the GSM 03.38 alphabet is one segment of up to 160 characters, or several of 153. Any other text is one segment of up to 70 characters, or several of 67.
     */
    '/sms': {
      params: {
        /** 1 to 1000 phone numbers with country code: one phone, a comma-separated list, or an array. Each has 7 to 15 digits; spaces and `+ ( ) - .` are ignored. A phone that occurs twice gets one message. If any phone is invalid, nothing is sent, and `errors` has a key `phones.<position>` for each, counted from 0 */
        phones: string | number | (string | number)[]
        /** Text of the message, 1 to 1600 UTF-16 characters. A long text is sent as several segments */
        message: string
        /** If `true`, blacklisted phones get the message too. A phone whose recipient has opted out gets it only through the provider that reported the opt-out; default `false` */
        force?: boolean | undefined
        /** If `true`, a message with an unknown outcome is offered to the next provider, and the reply is 502 if no message is known to be sent, so that a retry with the same `Idempotency-Key` sends again. Use it for texts that may arrive twice, such as one-time passwords; default `false` */
        allow_duplicates?: boolean | undefined
        /** Provider that is asked first. Default: the value of `SMS_PROVIDER` */
        provider?: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | undefined
      }
      reply: {
        /** One result per phone, in the order of the phones */
        messages: {
          /** Id of the message in the gateway */
          id: number
          /** Phone number, digits only */
          phone: string
          /** `sent`: a provider accepted the message. `blacklisted`: the phone is on the blacklist, or the provider reports that the recipient has opted out (`unsubscribed`). `unknown`: a provider may have accepted the message, but did not reply. `failed`: certainly no provider accepted the message */
          state: 'sent' | 'blacklisted' | 'unknown' | 'failed'
          /** Provider that accepted the message, or that was asked last. Null if no provider was asked */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Id of the message at the provider. Null if the provider returned none */
          provider_id: string | null
          /** Number of SMS segments of the text. Null for a call */
          segments: number | null
          /** Why the message was not sent, or is not known to be sent. Reported by the provider: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. Failed call of the provider: `unreachable`, `timeout`, `unreadable`. No provider was asked: `not_attempted` (out of time), `circuit_open` (all providers failed recently). `interrupted`: the gateway stopped while it sent the message */
          reason?: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'sms_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Call phones and speak a text
     * Calls each phone and reads the text aloud. Returns one result per phone, in the order of the phones, within 100 seconds. `sent` means that the provider accepted the call; a delivery receipt reports later whether it was answered. Calls that the gateway could not begin within 85 seconds are `failed` with the reason `not_attempted`. Only provider_a makes calls, without a fallback; its driver must be smsc, twilio, http or log.
     *
     * If the provider is busy and names a waiting time of at most 10 seconds, the gateway waits and retries, up to three times. If the circuit of the provider is open, calls fail with the reason `circuit_open`, and a 502 has `Retry-After`.
     *
     * 502 `call_failed` means that every call is `failed`: certainly no phone was called. With `allow_duplicates` calls can also be `unknown` then. `content.messages` has the result for each phone, and a retry with the same `Idempotency-Key` calls again. If at least one call is `sent` or `blacklisted`, or `unknown` without `allow_duplicates`, the reply is 200 with all results.
     */
    '/call': {
      params: {
        /** 1 to 1000 phone numbers with country code: one phone, a comma-separated list, or an array. Each has 7 to 15 digits; spaces and `+ ( ) - .` are ignored. A phone that occurs twice gets one message. If any phone is invalid, nothing is sent, and `errors` has a key `phones.<position>` for each, counted from 0 */
        phones: string | number | (string | number)[]
        /** Text to speak, 1 to 1600 UTF-16 characters */
        message: string
        /** If `true`, blacklisted phones get the message too. A phone whose recipient has opted out gets it only through the provider that reported the opt-out; default `false` */
        force?: boolean | undefined
        /** If `true`, the reply is also 502 if calls are `unknown` and none is `sent` or `blacklisted`, so that a retry with the same `Idempotency-Key` calls again. A phone may be called twice then; default `false` */
        allow_duplicates?: boolean | undefined
        /** Only `provider_a` makes calls. Required if `SMS_PROVIDER` names another provider, otherwise optional */
        provider?: 'provider_a' | undefined
      }
      reply: {
        /** One result per phone, in the order of the phones */
        messages: {
          /** Id of the message in the gateway */
          id: number
          /** Phone number, digits only */
          phone: string
          /** `sent`: a provider accepted the message. `blacklisted`: the phone is on the blacklist, or the provider reports that the recipient has opted out (`unsubscribed`). `unknown`: a provider may have accepted the message, but did not reply. `failed`: certainly no provider accepted the message */
          state: 'sent' | 'blacklisted' | 'unknown' | 'failed'
          /** Provider that accepted the message, or that was asked last. Null if no provider was asked */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Id of the message at the provider. Null if the provider returned none */
          provider_id: string | null
          /** Number of SMS segments of the text. Null for a call */
          segments: number | null
          /** Why the message was not sent, or is not known to be sent. Reported by the provider: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. Failed call of the provider: `unreachable`, `timeout`, `unreadable`. No provider was asked: `not_attempted` (out of time), `circuit_open` (all providers failed recently). `interrupted`: the gateway stopped while it sent the message */
          reason?: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'call_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * Add a phone to the blacklist
     * The phone gets no messages and no calls, unless a request has `force`. If the phone is already on the blacklist, nothing changes.
     */
    '/blacklist': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string | number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured'
    }
    /**
     * Get the blacklist entry of a phone
     * Returns 400 `not_blacklisted` if the phone is not on the blacklist. The same as `GET /blacklist`, with the parameters in the body, so that no URL has them.
     */
    '/blacklist/search': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string | number
      }
      reply: {
        /** The entry of the phone */
        blacklist: {
          /** Phone number, digits only */
          phone: string
          /** When the phone entered the blacklist */
          created_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'not_blacklisted' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List messages
     * Returns text messages and calls, newest first, including those to blacklisted phones. All filters are combined with AND. Texts are returned only on a local start, for messages that the driver `log` got. The same as `GET /messages`, with the parameters in the body, so that no URL has them.
     */
    '/messages': {
      params: {
        /** Only messages to this phone */
        phone?: string | number | undefined
        /** Only messages in this state */
        state?: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted' | undefined
        /** Only messages of this provider */
        provider?: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | undefined
        /** Only text messages, or only calls */
        kind?: 'sms' | 'call' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** The messages, newest first */
        messages: {
          /** Id of the message in the gateway */
          id: number
          /** `sms`: a text message. `call`: a voice call */
          kind: 'sms' | 'call'
          /** Phone number, digits only */
          phone: string
          /** `queued` and `sending` while the request runs, then `sent`, `unknown`, `failed` or `blacklisted`. A delivery receipt changes it to `delivered`, `undelivered`, `expired`, `rejected` or `blacklisted` */
          state: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted'
          /** Why the message was not sent, or is not known to be sent. Reported by the provider: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. Failed call of the provider: `unreachable`, `timeout`, `unreadable`. No provider was asked: `not_attempted` (out of time), `circuit_open` (all providers failed recently). `interrupted`: the gateway stopped while it sent the message */
          reason: string | null
          /** Provider that accepted the message, or that was asked last. Null if no provider was asked */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Id of the message at the provider. Null if the provider returned none */
          provider_id: string | null
          /** Number of SMS segments of the text. Null for a call */
          segments: number | null
          /** Status or error code from the last receipt, in the words of the provider. Null before the first receipt */
          receipt_code: string | null
          /** Text of the message. Only on a local start, if the driver `log` got it */
          text?: string
          /** When the gateway stored the message */
          created_at: string
          /** When the state last changed */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  delete: {
    /**
     * Remove a phone from the blacklist
     * The phone gets messages and calls again, also after an opt-out (STOP). Succeeds if the phone is not on the blacklist.
     */
    '/blacklist': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string | number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * Get the blacklist entry of a phone
     * Returns 400 `not_blacklisted` if the phone is not on the blacklist. A URL may be stored in logs and histories: `POST /blacklist/search` takes the same parameters in the body.
     */
    '/blacklist': {
      params: {
        /** Phone number with country code, 7 to 15 digits. Spaces and `+ ( ) - .` are ignored */
        phone: string | number
      }
      reply: {
        /** The entry of the phone */
        blacklist: {
          /** Phone number, digits only */
          phone: string
          /** When the phone entered the blacklist */
          created_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'not_blacklisted' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List messages
     * Returns text messages and calls, newest first, including those to blacklisted phones. All filters are combined with AND. Texts are returned only on a local start, for messages that the driver `log` got. A URL may be stored in logs and histories: `POST /messages` takes the same parameters in the body.
     */
    '/messages': {
      params: {
        /** Only messages to this phone */
        phone?: string | number | undefined
        /** Only messages in this state */
        state?: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted' | undefined
        /** Only messages of this provider */
        provider?: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | undefined
        /** Only text messages, or only calls */
        kind?: 'sms' | 'call' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** The messages, newest first */
        messages: {
          /** Id of the message in the gateway */
          id: number
          /** `sms`: a text message. `call`: a voice call */
          kind: 'sms' | 'call'
          /** Phone number, digits only */
          phone: string
          /** `queued` and `sending` while the request runs, then `sent`, `unknown`, `failed` or `blacklisted`. A delivery receipt changes it to `delivered`, `undelivered`, `expired`, `rejected` or `blacklisted` */
          state: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted'
          /** Why the message was not sent, or is not known to be sent. Reported by the provider: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. Failed call of the provider: `unreachable`, `timeout`, `unreadable`. No provider was asked: `not_attempted` (out of time), `circuit_open` (all providers failed recently). `interrupted`: the gateway stopped while it sent the message */
          reason: string | null
          /** Provider that accepted the message, or that was asked last. Null if no provider was asked */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Id of the message at the provider. Null if the provider returned none */
          provider_id: string | null
          /** Number of SMS segments of the text. Null for a call */
          segments: number | null
          /** Status or error code from the last receipt, in the words of the provider. Null before the first receipt */
          receipt_code: string | null
          /** Text of the message. Only on a local start, if the driver `log` got it */
          text?: string
          /** When the gateway stored the message */
          created_at: string
          /** When the state last changed */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a message
     * Returns the state of one text message or call. The state changes when the provider sends a delivery receipt.
     */
    '/message': {
      params: {
        /** Id of the message in the gateway */
        id: number
      }
      reply: {
        /** The message */
        message: {
          /** Id of the message in the gateway */
          id: number
          /** `sms`: a text message. `call`: a voice call */
          kind: 'sms' | 'call'
          /** Phone number, digits only */
          phone: string
          /** `queued` and `sending` while the request runs, then `sent`, `unknown`, `failed` or `blacklisted`. A delivery receipt changes it to `delivered`, `undelivered`, `expired`, `rejected` or `blacklisted` */
          state: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown' | 'failed' | 'blacklisted'
          /** Why the message was not sent, or is not known to be sent. Reported by the provider: `credentials`, `balance`, `phone`, `sender`, `text`, `forbidden`, `unsubscribed` (the recipient has opted out), `throttled`, `rejected`, `unavailable`. Failed call of the provider: `unreachable`, `timeout`, `unreadable`. No provider was asked: `not_attempted` (out of time), `circuit_open` (all providers failed recently). `interrupted`: the gateway stopped while it sent the message */
          reason: string | null
          /** Provider that accepted the message, or that was asked last. Null if no provider was asked */
          provider: 'provider_a' | 'provider_b' | 'provider_c' | 'provider_d' | null
          /** Id of the message at the provider. Null if the provider returned none */
          provider_id: string | null
          /** Number of SMS segments of the text. Null for a call */
          segments: number | null
          /** Status or error code from the last receipt, in the words of the provider. Null before the first receipt */
          receipt_code: string | null
          /** Text of the message. Only on a local start, if the driver `log` got it */
          text?: string
          /** When the gateway stored the message */
          created_at: string
          /** When the state last changed */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'message_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
}
