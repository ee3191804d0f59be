// Types of the operations of delivery, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Delivery {
  post: {
    /**
     * Start a delivery
     * Starts to send at once. The numbers `min` to `max` are divided into pieces of `gap` numbers, and `data_url` returns the recipients of each piece. A recipient gets one message per channel for which its reply has a target. At least one of `has_email`, `has_sms` and `has_feed` is required, each with its texts in at least one locale. A template that does not parse is rejected with field, locale, line and column. On 502 `queue_failed` nothing is sent. A repeat with the same `Idempotency-Key` starts no second delivery.
     */
    '/delivery': {
      params: {
        /** First number of the range, inclusive */
        min: number
        /** Last number of the range, inclusive */
        max: number
        /** Numbers per piece. `data_url` is called once for each piece, with `_min`, `_max` and `_gap`. At most 1 000 000 pieces */
        gap: number
        /** Name of the delivery for people, at most 255 characters */
        name: string
        /** Whether the delivery sends email. At least one channel is required; default `false` */
        has_email?: boolean | undefined
        /** Whether the delivery sends SMS; default `false` */
        has_sms?: boolean | undefined
        /** Whether the delivery adds feed records; default `false` */
        has_feed?: boolean | undefined
        /** Subject of the email. Line breaks become spaces. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 1000 characters each */
        email_subject?: { [name: string]: string } | undefined
        /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 500000 characters each */
        email_html?: { [name: string]: string } | undefined
        /** Text of the SMS. Required with `has_sms`. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
        sms_message?: { [name: string]: string } | undefined
        /** Title of the feed record. With `has_feed`, this or `feed_text` is required. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
        feed_title?: { [name: string]: string } | undefined
        /** Text of the feed record. With `has_feed`, this or `feed_title` is required. A map of Liquid templates by locale: at most 200 locales, and 200000 characters each */
        feed_text?: { [name: string]: string } | undefined
        /** URL of the image of the feed record. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
        feed_image?: { [name: string]: string } | undefined
        /** Payload of the feed records: a JSON object, not rendered */
        feed_payload?: { [name: string]: unknown } | undefined
        /** Values for the texts, the same for all recipients. A recipient's fields of the same name replace them */
        payload?: { [name: string]: unknown } | undefined
        /** http or https URL that returns the recipients. It is called once per piece with GET and a JSON body: `filters`, `_min`, `_max` and `_gap`. The reply is JSON: `{"content": [{"locale": "en", "email": "ann@example.com", "phone": "77011234567", "feed_collection": "news", "feed_recipient": "ann", "name": "Ann"}]}` with up to 10 000 recipients of 32 KB each, at most 20 MB in 30 s. Other fields of a recipient are values for the texts */
        data_url: string
        /** JSON object that is sent to `data_url` together with `_min`, `_max` and `_gap`, which replace keys of the same name */
        filters: { [name: string]: unknown }
        /** Maximum number of messages per second, of all channels together, above 0 and at most 100 000. Default: no limit */
        max_per_second?: number | undefined
      }
      reply: {
        /** The delivery */
        delivery: {
          /** Id of the delivery */
          id: number
          /** Name of the delivery for people */
          name: string
          /** Whether the delivery sends email. At least one channel is required */
          has_email: boolean
          /** Whether the delivery sends SMS */
          has_sms: boolean
          /** Whether the delivery adds feed records */
          has_feed: boolean
          /** `started`: messages are sent. `finished`: all pieces are processed or failed, and all messages are settled. `canceled`: ended by a call */
          status: 'started' | 'finished' | 'canceled'
          /** Whether the delivery is paused: no message is sent until it is resumed */
          paused: boolean
          /** Whether the delivery waits because a channel or `data_url` is down, throttled or out of quota. No message is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: `data_url` cannot be reached, times out, or replies with 408, 425, 429 or 5xx. `outlet_open`: a circuit breaker is open, since the mail server, the SMS provider or the feed does not accept messages. `quota`: it throttles or is out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** Time in UTC of the next attempt of a held delivery, with one message or piece: after 10 s, 1 min, 5 min, then every 15 min */
          next_attempt_at: string | null
          /** Processed share of the range, 0 to 1. Decreases only if a retry reopens the delivery */
          progress: number
          /** Time of creation in UTC */
          created_at: string
          /** Time in UTC of the last change of the delivery or its status */
          updated_at: string
          /** First number of the range */
          min: number
          /** Last number of the range */
          max: number
          /** Numbers per piece */
          gap: number
          /** URL that returns the recipients of each piece */
          data_url: string
          /** JSON object that is sent to `data_url` with each piece */
          filters: { [name: string]: unknown }
          /** Subject of the email. Line breaks become spaces. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 1000 characters each */
          email_subject: { [name: string]: string } | null
          /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 500000 characters each */
          email_html: { [name: string]: string } | null
          /** Text of the SMS. Required with `has_sms`. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          sms_message: { [name: string]: string } | null
          /** Title of the feed record. With `has_feed`, this or `feed_text` is required. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          feed_title: { [name: string]: string } | null
          /** Text of the feed record. With `has_feed`, this or `feed_title` is required. A map of Liquid templates by locale: at most 200 locales, and 200000 characters each */
          feed_text: { [name: string]: string } | null
          /** URL of the image of the feed record. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          feed_image: { [name: string]: string } | null
          /** Payload of the feed records, null if there is none */
          feed_payload: { [name: string]: unknown } | null
          /** Values for the texts, null if there are none */
          payload: { [name: string]: unknown } | null
          /** Maximum number of messages per second, null for no limit */
          max_per_second: number | null
          /** Number of pieces and messages by state */
          report: {
            /** Number of pieces by state */
            pieces: {
              /** Number of pieces in the range */
              total: number
              /** Pieces that were fetched and whose messages are all settled */
              processed: number
              /** Pieces that `data_url` did not return in 5 attempts */
              failed: number
            }
            /** Number of recipients fetched so far */
            recipients: number
            /** Number of emails by state */
            email: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
            /** Number of SMS by state */
            sms: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
            /** Number of feed records by state */
            feed: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
          }
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
    /**
     * Cancel a delivery
     * No further message is sent. Messages that are being sent are still counted by their outcome; all others are skipped with the reason `canceled`. Has no effect on a canceled delivery. A canceled delivery cannot be resumed.
     */
    '/delivery/cancel': {
      params: {
        /** Id of the delivery */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'delivery_finished' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Pause a delivery
     * Messages that are being sent are completed; no other message is sent until the delivery is resumed with `POST /delivery/resume`. Has no effect on a paused delivery. 409 `delivery_canceled` or `delivery_finished` if the delivery has ended.
     */
    '/delivery/pause': {
      params: {
        /** Id of the delivery */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_finished' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Resume a delivery
     * Continues a paused delivery without losing or repeating messages. A delivery that is held makes its next attempt at once. Has no effect on a delivery that is neither paused nor held. 409 `delivery_canceled` or `delivery_finished` if the delivery has ended.
     */
    '/delivery/resume': {
      params: {
        /** Id of the delivery */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_finished' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Retry a finished delivery
     * Reopens the delivery: its status is `started` again, the chosen messages are sent again, and with `failed` the failed pieces are fetched again. Recipients of messages that were not sent are kept for DELIVERY_RETRY_DAYS (default 7) after the delivery finished; then the reply is 409 `recipients_deleted`. An `unknown` message is sent with its original idempotency key, which email and SMS keep for the same time and the feed for a day: if it was sent before, it is not sent twice. If the channel does not know either, the message stays `unknown`, unless `allow_duplicates` is true. 409 `delivery_started` or `delivery_canceled` if the delivery has not finished.
     */
    '/delivery/retry': {
      params: {
        /** Id of a finished delivery */
        id: number
        /** States to retry. `failed`: failed messages and failed pieces. `unknown`: messages whose outcome was lost. `skipped`: messages with the reason `blacklisted` or `no_text` */
        states: ('failed' | 'unknown' | 'skipped')[]
        /** `true`: send `unknown` messages again even if the channel does not know whether they were sent. Recipients may get them twice; default `false` */
        allow_duplicates?: boolean | undefined
      }
      reply: {
        /** Number of messages that are sent again */
        messages: number
        /** Number of pieces that are fetched again */
        pieces: number
        /** Number of `unknown` messages that are not retried, because the channel has deleted their idempotency keys. See `allow_duplicates` */
        expired: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_started' | 'recipients_deleted' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Copy a delivery
     * Starts a new delivery with the present definition, including changes, whatever the status of the first one. Calls `data_url` again: recipients of the first delivery get the new one too. A repeat with the same `Idempotency-Key` starts no second delivery.
     */
    '/delivery/copy': {
      params: {
        /** Id of the delivery to copy */
        id: number
        /** Name of the new delivery, at most 255 characters. Default: the name of the original */
        name?: string | undefined
      }
      reply: {
        /** The delivery */
        delivery: {
          /** Id of the delivery */
          id: number
          /** Name of the delivery for people */
          name: string
          /** Whether the delivery sends email. At least one channel is required */
          has_email: boolean
          /** Whether the delivery sends SMS */
          has_sms: boolean
          /** Whether the delivery adds feed records */
          has_feed: boolean
          /** `started`: messages are sent. `finished`: all pieces are processed or failed, and all messages are settled. `canceled`: ended by a call */
          status: 'started' | 'finished' | 'canceled'
          /** Whether the delivery is paused: no message is sent until it is resumed */
          paused: boolean
          /** Whether the delivery waits because a channel or `data_url` is down, throttled or out of quota. No message is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: `data_url` cannot be reached, times out, or replies with 408, 425, 429 or 5xx. `outlet_open`: a circuit breaker is open, since the mail server, the SMS provider or the feed does not accept messages. `quota`: it throttles or is out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** Time in UTC of the next attempt of a held delivery, with one message or piece: after 10 s, 1 min, 5 min, then every 15 min */
          next_attempt_at: string | null
          /** Processed share of the range, 0 to 1. Decreases only if a retry reopens the delivery */
          progress: number
          /** Time of creation in UTC */
          created_at: string
          /** Time in UTC of the last change of the delivery or its status */
          updated_at: string
          /** First number of the range */
          min: number
          /** Last number of the range */
          max: number
          /** Numbers per piece */
          gap: number
          /** URL that returns the recipients of each piece */
          data_url: string
          /** JSON object that is sent to `data_url` with each piece */
          filters: { [name: string]: unknown }
          /** Subject of the email. Line breaks become spaces. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 1000 characters each */
          email_subject: { [name: string]: string } | null
          /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 500000 characters each */
          email_html: { [name: string]: string } | null
          /** Text of the SMS. Required with `has_sms`. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          sms_message: { [name: string]: string } | null
          /** Title of the feed record. With `has_feed`, this or `feed_text` is required. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          feed_title: { [name: string]: string } | null
          /** Text of the feed record. With `has_feed`, this or `feed_title` is required. A map of Liquid templates by locale: at most 200 locales, and 200000 characters each */
          feed_text: { [name: string]: string } | null
          /** URL of the image of the feed record. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          feed_image: { [name: string]: string } | null
          /** Payload of the feed records, null if there is none */
          feed_payload: { [name: string]: unknown } | null
          /** Values for the texts, null if there are none */
          payload: { [name: string]: unknown } | null
          /** Maximum number of messages per second, null for no limit */
          max_per_second: number | null
          /** Number of pieces and messages by state */
          report: {
            /** Number of pieces by state */
            pieces: {
              /** Number of pieces in the range */
              total: number
              /** Pieces that were fetched and whose messages are all settled */
              processed: number
              /** Pieces that `data_url` did not return in 5 attempts */
              failed: number
            }
            /** Number of recipients fetched so far */
            recipients: number
            /** Number of emails by state */
            email: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
            /** Number of SMS by state */
            sms: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
            /** Number of feed records by state */
            feed: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
          }
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
  }
  patch: {
    /**
     * Change a delivery
     * Changes messages that are still to be sent. Missing parameters keep their values; a map of locales is replaced completely. Messages of a removed channel are skipped. An added channel sends to recipients of pages that are fetched from now on. 409 `range_fixed` if `min`, `max` or `gap` change after the first piece was fetched.
     */
    '/delivery': {
      params: {
        /** Id of the delivery */
        id: number
        /** First number of the range, inclusive */
        min: number
        /** Last number of the range, inclusive */
        max: number
        /** Numbers per piece. `data_url` is called once for each piece, with `_min`, `_max` and `_gap`. At most 1 000 000 pieces */
        gap: number
        /** Name of the delivery for people, at most 255 characters */
        name: string
        /** Whether the delivery sends email. At least one channel is required */
        has_email?: boolean | undefined
        /** Whether the delivery sends SMS */
        has_sms?: boolean | undefined
        /** Whether the delivery adds feed records */
        has_feed?: boolean | undefined
        /** Subject of the email. Line breaks become spaces. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 1000 characters each */
        email_subject?: { [name: string]: string } | undefined
        /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 500000 characters each */
        email_html?: { [name: string]: string } | undefined
        /** Text of the SMS. Required with `has_sms`. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
        sms_message?: { [name: string]: string } | undefined
        /** Title of the feed record. With `has_feed`, this or `feed_text` is required. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
        feed_title?: { [name: string]: string } | undefined
        /** Text of the feed record. With `has_feed`, this or `feed_title` is required. A map of Liquid templates by locale: at most 200 locales, and 200000 characters each */
        feed_text?: { [name: string]: string } | undefined
        /** URL of the image of the feed record. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
        feed_image?: { [name: string]: string } | undefined
        /** Payload of the feed records: a JSON object, not rendered */
        feed_payload?: { [name: string]: unknown } | undefined
        /** Values for the texts, the same for all recipients. A recipient's fields of the same name replace them */
        payload?: { [name: string]: unknown } | undefined
        /** Maximum number of messages per second, of all channels together, at most 100 000. 0: no limit */
        max_per_second?: number | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_finished' | 'range_fixed' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'not_configured' | 'queue_timeout'
    }
  }
  get: {
    /**
     * Get a delivery
     * Returns the definition, the present status, and a report with the number of messages by channel, state and reason. The time does not depend on the number of messages.
     */
    '/delivery': {
      params: {
        /** Id of the delivery */
        id: number
      }
      reply: {
        /** The delivery */
        delivery: {
          /** Id of the delivery */
          id: number
          /** Name of the delivery for people */
          name: string
          /** Whether the delivery sends email. At least one channel is required */
          has_email: boolean
          /** Whether the delivery sends SMS */
          has_sms: boolean
          /** Whether the delivery adds feed records */
          has_feed: boolean
          /** `started`: messages are sent. `finished`: all pieces are processed or failed, and all messages are settled. `canceled`: ended by a call */
          status: 'started' | 'finished' | 'canceled'
          /** Whether the delivery is paused: no message is sent until it is resumed */
          paused: boolean
          /** Whether the delivery waits because a channel or `data_url` is down, throttled or out of quota. No message is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: `data_url` cannot be reached, times out, or replies with 408, 425, 429 or 5xx. `outlet_open`: a circuit breaker is open, since the mail server, the SMS provider or the feed does not accept messages. `quota`: it throttles or is out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** Time in UTC of the next attempt of a held delivery, with one message or piece: after 10 s, 1 min, 5 min, then every 15 min */
          next_attempt_at: string | null
          /** Processed share of the range, 0 to 1. Decreases only if a retry reopens the delivery */
          progress: number
          /** Time of creation in UTC */
          created_at: string
          /** Time in UTC of the last change of the delivery or its status */
          updated_at: string
          /** First number of the range */
          min: number
          /** Last number of the range */
          max: number
          /** Numbers per piece */
          gap: number
          /** URL that returns the recipients of each piece */
          data_url: string
          /** JSON object that is sent to `data_url` with each piece */
          filters: { [name: string]: unknown }
          /** Subject of the email. Line breaks become spaces. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 1000 characters each */
          email_subject: { [name: string]: string } | null
          /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. Required with `has_email`. A map of Liquid templates by locale: at most 200 locales, and 500000 characters each */
          email_html: { [name: string]: string } | null
          /** Text of the SMS. Required with `has_sms`. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          sms_message: { [name: string]: string } | null
          /** Title of the feed record. With `has_feed`, this or `feed_text` is required. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          feed_title: { [name: string]: string } | null
          /** Text of the feed record. With `has_feed`, this or `feed_title` is required. A map of Liquid templates by locale: at most 200 locales, and 200000 characters each */
          feed_text: { [name: string]: string } | null
          /** URL of the image of the feed record. A map of Liquid templates by locale: at most 200 locales, and 5000 characters each */
          feed_image: { [name: string]: string } | null
          /** Payload of the feed records, null if there is none */
          feed_payload: { [name: string]: unknown } | null
          /** Values for the texts, null if there are none */
          payload: { [name: string]: unknown } | null
          /** Maximum number of messages per second, null for no limit */
          max_per_second: number | null
          /** Number of pieces and messages by state */
          report: {
            /** Number of pieces by state */
            pieces: {
              /** Number of pieces in the range */
              total: number
              /** Pieces that were fetched and whose messages are all settled */
              processed: number
              /** Pieces that `data_url` did not return in 5 attempts */
              failed: number
            }
            /** Number of recipients fetched so far */
            recipients: number
            /** Number of emails by state */
            email: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
            /** Number of SMS by state */
            sms: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
            /** Number of feed records by state */
            feed: {
              /** Messages that are still to be sent */
              queued: number
              /** Messages that are being sent */
              sending: number
              /** Messages that the channel accepted */
              sent: number
              /** Messages that are not sent, see `reasons` */
              skipped: number
              /** Messages that were certainly not sent */
              failed: number
              /** Messages whose outcome was lost: they may have been sent, and are not sent again automatically */
              unknown: number
              /** Number of messages by reason. Skipped: `no_target`, the recipient has no target for the channel; `duplicate`, another recipient of this delivery has the same target; `no_text`, the rendered text is blank; `too_large`, the recipient's fields are too large; `blacklisted`, the phone is on the blacklist; `canceled`, the delivery was canceled; `channel_off`, the channel was removed. Failed: `render`, the template takes too many steps; `refused`, the channel rejected the message or its target; `unauthorized` and `not_configured`, the channel is not set up; other reasons come from the channel, after several attempts. Unknown: `timeout`, `unreadable` and `interrupted`, the message may have been sent and is not sent again; `key_expired`, the same, and the channel has deleted the idempotency key before the retry. */
              reasons: { [name: string]: number }
            }
          }
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List deliveries
     * Deliveries that match all filters, newest first, without their texts and reports. The status, also as a filter, and the progress can be a few seconds old; `GET /delivery` has the present ones.
     */
    '/deliveries': {
      params: {
        /** Only deliveries with this text in their name; case matters */
        name?: string | undefined
        /** `true`: only deliveries that use email. `false`: only others */
        has_email?: boolean | undefined
        /** `true`: only deliveries that use SMS. `false`: only others */
        has_sms?: boolean | undefined
        /** `true`: only deliveries that use the feed. `false`: only others */
        has_feed?: boolean | undefined
        /** Only deliveries with this status */
        status?: 'started' | 'finished' | 'canceled' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Deliveries of the page, newest first */
        deliveries: {
          /** Id of the delivery */
          id: number
          /** Name of the delivery for people */
          name: string
          /** Whether the delivery sends email. At least one channel is required */
          has_email: boolean
          /** Whether the delivery sends SMS */
          has_sms: boolean
          /** Whether the delivery adds feed records */
          has_feed: boolean
          /** `started`: messages are sent. `finished`: all pieces are processed or failed, and all messages are settled. `canceled`: ended by a call */
          status: 'started' | 'finished' | 'canceled'
          /** Whether the delivery is paused: no message is sent until it is resumed */
          paused: boolean
          /** Whether the delivery waits because a channel or `data_url` is down, throttled or out of quota. No message is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: `data_url` cannot be reached, times out, or replies with 408, 425, 429 or 5xx. `outlet_open`: a circuit breaker is open, since the mail server, the SMS provider or the feed does not accept messages. `quota`: it throttles or is out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** Time in UTC of the next attempt of a held delivery, with one message or piece: after 10 s, 1 min, 5 min, then every 15 min */
          next_attempt_at: string | null
          /** Processed share of the range, 0 to 1. Decreases only if a retry reopens the delivery */
          progress: number
          /** Time of creation in UTC */
          created_at: string
          /** Time in UTC of the last change of the delivery or its status */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List failed messages
     * Failed and unknown messages in the order in which they were queued. The list has no personal data: the recipient is at `index` in the reply of `data_url` for the piece.
     */
    '/delivery/failures': {
      params: {
        /** Id of the delivery */
        id: number
        /** Only messages of this channel */
        channel?: 'email' | 'sms' | 'feed' | undefined
        /** Only messages in this state: certainly not sent, or with a lost outcome */
        state?: 'failed' | 'unknown' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Messages of the page */
        failures: {
          /** First number of the piece */
          min: number
          /** Last number of the piece */
          max: number
          /** Index of the recipient in the reply of `data_url` for the piece, from 0 */
          index: number
          /** Channel of the message */
          channel: 'email' | 'sms' | 'feed'
          /** `failed`: certainly not sent. `unknown`: the outcome was lost */
          state: 'failed' | 'unknown'
          /** Reason, see `reasons` in the `report` of a delivery */
          reason: string
          /** Time of the outcome in UTC */
          at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List pieces
     * Pieces of the range that were requested from `data_url` so far, in the order of the range, each with its state and the reason of its last failure.
     */
    '/delivery/pieces': {
      params: {
        /** Id of the delivery */
        id: number
        /** Only pieces in this state */
        state?: 'fetching' | 'waiting' | 'sending' | 'processed' | 'failed' | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Pieces of the page */
        pieces: {
          /** First number of the piece */
          min: number
          /** Last number of the piece */
          max: number
          /** `fetching`: `data_url` is being called. `waiting`: `data_url` is called again later. `sending`: messages are being sent. `processed`: all messages are settled. `failed`: the piece was not fetched in 5 attempts */
          state: 'fetching' | 'waiting' | 'sending' | 'processed' | 'failed'
          /** Number of failed attempts to fetch the piece. Attempts while `data_url` is down do not count */
          tries: number
          /** Reason of the last failed attempt: `unreachable`, `timeout`, `address_refused`, `query_too_long`, `http_<status>`, `not_json`, `no_content`, `not_objects`, `answer_too_large`, `too_many_recipients`, `interrupted`, `ledger_full` */
          reason: string | null
          /** Number of recipients of the piece */
          recipients: number
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Cancel and delete a delivery
     * Cancels the delivery if it has not ended, and deletes it with its report. No queued message is sent; messages that are being sent at this moment are still sent. Cannot be undone.
     */
    '/delivery': {
      params: {
        /** Id of the delivery */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'delivery_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
