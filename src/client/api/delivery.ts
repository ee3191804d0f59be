// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Delivery {
  post: {
    /**
     * Start a delivery
     * It starts at once. At least one of has_email, has_sms and has_feed is required, each with its texts in one locale at least. A template that does not parse is refused with its line and column, under its field and locale. 502 queue_failed where the queue does not take it: then nothing is sent. A repeat with the same Idempotency-Key starts no second one.
     */
    '/delivery': {
      params: {
        /** The first item of the range that is sent to, both ends included */
        min: number
        /** The last item */
        max: number
        /** How many items a piece has: `data_url` is asked once for each, with `_min`, `_max` and `_gap` */
        gap: number
        /** For reference */
        name: string
        /** default `false` */
        has_email?: boolean | undefined
        /** default `false` */
        has_sms?: boolean | undefined
        /** default `false` */
        has_feed?: boolean | undefined
        /** Required with `has_email` */
        email_subject?: { [name: string]: string } | undefined
        /** Required with `has_email`; what is put in by `{{ }}` is escaped */
        email_html?: { [name: string]: string } | undefined
        /** Required with `has_sms` */
        sms_message?: { [name: string]: string } | undefined
        /** With `has_feed` this or `feed_text` is required */
        feed_title?: { [name: string]: string } | undefined
        /** With `has_feed` this or `feed_title` is required */
        feed_text?: { [name: string]: string } | undefined
        /** URL of an image */
        feed_image?: { [name: string]: string } | undefined
        /** Payload of the feed records, as it is */
        feed_payload?: { [name: string]: unknown } | undefined
        /** Data for the texts' placeholders, the same for all; a recipient's own fields win */
        payload?: { [name: string]: unknown } | undefined
        /** URL that returns the recipients: http or https */
        data_url: string
        /** Sent to `data_url` with `_min`, `_max` and `_gap`, which win */
        filters: { [name: string]: unknown }
        /** The most messages a second, of all channels together; no limit unless given */
        max_per_second?: number | undefined
      }
      reply: {
        delivery: {
          id: number
          name: string
          has_email: boolean
          has_sms: boolean
          has_feed: boolean
          /** `finished` when every piece is processed or failed and every message is settled; `canceled` ends it at once */
          status: 'started' | 'finished' | 'canceled'
          /** Nothing new is sent until it is resumed */
          paused: boolean
          /** Something that the delivery depends on is down, throttled or out of quota. Nothing is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: data_url cannot be reached, times out, or answers 408, 425, 429 or 5xx. `outlet_open`: the mail server, the SMS provider or the feed does not take messages. `quota`: it is throttled or out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** When a held delivery is tried again, with one message or piece: after 10 s, 1, 5 and then every 15 minutes */
          next_attempt_at: string | null
          /** Share of the range that is processed, 0 to 1. It falls only if a retry reopens the delivery */
          progress: number
          /** Time in UTC */
          created_at: string
          /** When it was last changed, or its status was */
          updated_at: string
          min: number
          max: number
          gap: number
          data_url: string
          filters: { [name: string]: unknown }
          email_subject: { [name: string]: string } | null
          email_html: { [name: string]: string } | null
          sms_message: { [name: string]: string } | null
          feed_title: { [name: string]: string } | null
          feed_text: { [name: string]: string } | null
          feed_image: { [name: string]: string } | null
          feed_payload: { [name: string]: unknown } | null
          payload: { [name: string]: unknown } | null
          max_per_second: number | null
          /** What became of all messages so far */
          report: {
            pieces: {
              total: number
              /** Fetched, and all of their messages settled */
              processed: number
              /** `data_url` did not give them, after 5 tries each */
              failed: number
            }
            /** Fetched so far */
            recipients: number
            email: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
            sms: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
            feed: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
          }
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
    /**
     * End a delivery at once
     * No message is begun any more. Those that are under way end, and are counted as what becomes of them; all others are skipped, canceled. Twice is fine; 409 delivery_finished for one that is finished.
     */
    '/delivery/cancel': {
      params: {
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'delivery_finished' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Send nothing more until the delivery is resumed
     * Messages that are under way end. Twice is fine; 409 for a delivery that has ended.
     */
    '/delivery/pause': {
      params: {
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_finished' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Go on with a delivery that was paused
     * Nothing is lost, and nothing is sent twice. Fine if it is not paused: a delivery that is held then makes its next attempt at once. 409 for one that has ended.
     */
    '/delivery/resume': {
      params: {
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_finished' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Retry the messages of a finished delivery that were not sent
     * Reopens the delivery: its status is `started` again, the chosen messages are sent once more, and with `failed` the pieces that data_url did not give are fetched once more. Recipients of messages that were not sent are kept for DELIVERY_RETRY_DAYS (default 7) after the delivery finished; then 409 `recipients_deleted`. An `unknown` message goes out under its idempotency key, which email and sms keep as long, and the feed for a day: if it was sent, that is found out, and nobody gets it twice. It stays unknown if the channel does not know either; with `allow_duplicates` it is sent then. 409 `delivery_started` or `delivery_canceled` if the delivery has not finished.
     */
    '/delivery/retry': {
      params: {
        id: number
        /** `failed`: messages that failed, and pieces that data_url did not give. `unknown`: messages whose outcome was lost. `skipped`: messages that were skipped as `blacklisted` or `no_text` */
        states: ('failed' | 'unknown' | 'skipped')[]
        /** true: send `unknown` messages again even if their idempotency key does not tell whether they were sent. Recipients may get them twice; default `false` */
        allow_duplicates?: boolean | undefined
      }
      reply: {
        /** Messages that are sent again */
        messages: number
        /** Pieces that are fetched again */
        pieces: number
        /** `unknown` messages that are left: their idempotency key is not kept any more, see `allow_duplicates` */
        expired: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_started' | 'recipients_deleted' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'queue_timeout'
    }
    /**
     * Start another delivery with the same definition
     * As it is now, all changes included. It starts at once, and asks data_url anew: whoever got the first one gets this one too.
     */
    '/delivery/copy': {
      params: {
        id: number
        /** The original's unless given */
        name?: string | undefined
      }
      reply: {
        delivery: {
          id: number
          name: string
          has_email: boolean
          has_sms: boolean
          has_feed: boolean
          /** `finished` when every piece is processed or failed and every message is settled; `canceled` ends it at once */
          status: 'started' | 'finished' | 'canceled'
          /** Nothing new is sent until it is resumed */
          paused: boolean
          /** Something that the delivery depends on is down, throttled or out of quota. Nothing is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: data_url cannot be reached, times out, or answers 408, 425, 429 or 5xx. `outlet_open`: the mail server, the SMS provider or the feed does not take messages. `quota`: it is throttled or out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** When a held delivery is tried again, with one message or piece: after 10 s, 1, 5 and then every 15 minutes */
          next_attempt_at: string | null
          /** Share of the range that is processed, 0 to 1. It falls only if a retry reopens the delivery */
          progress: number
          /** Time in UTC */
          created_at: string
          /** When it was last changed, or its status was */
          updated_at: string
          min: number
          max: number
          gap: number
          data_url: string
          filters: { [name: string]: unknown }
          email_subject: { [name: string]: string } | null
          email_html: { [name: string]: string } | null
          sms_message: { [name: string]: string } | null
          feed_title: { [name: string]: string } | null
          feed_text: { [name: string]: string } | null
          feed_image: { [name: string]: string } | null
          feed_payload: { [name: string]: unknown } | null
          payload: { [name: string]: unknown } | null
          max_per_second: number | null
          /** What became of all messages so far */
          report: {
            pieces: {
              total: number
              /** Fetched, and all of their messages settled */
              processed: number
              /** `data_url` did not give them, after 5 tries each */
              failed: number
            }
            /** Fetched so far */
            recipients: number
            email: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
            sms: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
            feed: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
          }
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'database_full' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
  }
  patch: {
    /**
     * Change what is still to be sent
     * What is absent stays as it is; a map of locales is replaced as a whole. What is sent from now on uses the new texts. A channel that is taken out sends nothing more, one that is added sends to the recipients of pages that are fetched from now on. 409 range_fixed where min, max or gap differ after the first piece, 409 delivery_finished or delivery_canceled where it has ended.
     */
    '/delivery': {
      params: {
        id: number
        /** The first item of the range that is sent to, both ends included */
        min: number
        /** The last item */
        max: number
        /** How many items a piece has: `data_url` is asked once for each, with `_min`, `_max` and `_gap` */
        gap: number
        /** For reference */
        name: string
        has_email?: boolean | undefined
        has_sms?: boolean | undefined
        has_feed?: boolean | undefined
        /** Required with `has_email` */
        email_subject?: { [name: string]: string } | undefined
        /** Required with `has_email`; what is put in by `{{ }}` is escaped */
        email_html?: { [name: string]: string } | undefined
        /** Required with `has_sms` */
        sms_message?: { [name: string]: string } | undefined
        /** With `has_feed` this or `feed_text` is required */
        feed_title?: { [name: string]: string } | undefined
        /** With `has_feed` this or `feed_title` is required */
        feed_text?: { [name: string]: string } | undefined
        /** URL of an image */
        feed_image?: { [name: string]: string } | undefined
        /** Payload of the feed records, as it is */
        feed_payload?: { [name: string]: unknown } | undefined
        /** Data for the texts' placeholders, the same for all; a recipient's own fields win */
        payload?: { [name: string]: unknown } | undefined
        /** 0: no limit */
        max_per_second?: number | undefined
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'delivery_canceled' | 'delivery_finished' | 'range_fixed' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'queue_timeout'
    }
  }
  get: {
    /**
     * Read a delivery, and how far it is
     * However large it is: `report` comes from counters. Queued, sending, sent, skipped, failed and unknown are all messages.
     */
    '/delivery': {
      params: {
        id: number
      }
      reply: {
        delivery: {
          id: number
          name: string
          has_email: boolean
          has_sms: boolean
          has_feed: boolean
          /** `finished` when every piece is processed or failed and every message is settled; `canceled` ends it at once */
          status: 'started' | 'finished' | 'canceled'
          /** Nothing new is sent until it is resumed */
          paused: boolean
          /** Something that the delivery depends on is down, throttled or out of quota. Nothing is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: data_url cannot be reached, times out, or answers 408, 425, 429 or 5xx. `outlet_open`: the mail server, the SMS provider or the feed does not take messages. `quota`: it is throttled or out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** When a held delivery is tried again, with one message or piece: after 10 s, 1, 5 and then every 15 minutes */
          next_attempt_at: string | null
          /** Share of the range that is processed, 0 to 1. It falls only if a retry reopens the delivery */
          progress: number
          /** Time in UTC */
          created_at: string
          /** When it was last changed, or its status was */
          updated_at: string
          min: number
          max: number
          gap: number
          data_url: string
          filters: { [name: string]: unknown }
          email_subject: { [name: string]: string } | null
          email_html: { [name: string]: string } | null
          sms_message: { [name: string]: string } | null
          feed_title: { [name: string]: string } | null
          feed_text: { [name: string]: string } | null
          feed_image: { [name: string]: string } | null
          feed_payload: { [name: string]: unknown } | null
          payload: { [name: string]: unknown } | null
          max_per_second: number | null
          /** What became of all messages so far */
          report: {
            pieces: {
              total: number
              /** Fetched, and all of their messages settled */
              processed: number
              /** `data_url` did not give them, after 5 tries each */
              failed: number
            }
            /** Fetched so far */
            recipients: number
            email: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
            sms: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
            feed: {
              /** Still to be sent */
              queued: number
              /** Under way */
              sending: number
              /** Taken by the channel */
              sent: number
              skipped: number
              /** Certainly not sent */
              failed: number
              /** The outcome was lost: sent or not, and never repeated */
              unknown: number
              /** Why messages were not sent, or are not known to be, and how many. Skipped: `no_target`, the recipient has none; `duplicate`, another recipient of this delivery has the same; `no_text`, the text comes out blank; `too_large`, the recipient's own fields are; `blacklisted`; `canceled`; `channel_off`, the channel was taken out. Failed: `render`, the template takes too much; `refused`, for what the message or its target is; `unauthorized` and `not_configured`, the channel is not set up; others are those of the channel, after several tries. Unknown: `timeout`, `unreadable` and `interrupted`: it may have been sent, and is not sent again; `key_expired`: so it may, and a retry waited until the channel had dropped its idempotency key. */
              reasons: { [name: string]: number }
            }
          }
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'delivery_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List deliveries, the newest first
     * Status and progress are a few seconds old at the most.
     */
    '/deliveries': {
      params: {
        /** A part of the name */
        name?: string | undefined
        /** true: only with, false: only without */
        has_email?: boolean | undefined
        /** true: only with, false: only without */
        has_sms?: boolean | undefined
        /** true: only with, false: only without */
        has_feed?: boolean | undefined
        status?: 'started' | 'finished' | 'canceled' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        deliveries: {
          id: number
          name: string
          has_email: boolean
          has_sms: boolean
          has_feed: boolean
          /** `finished` when every piece is processed or failed and every message is settled; `canceled` ends it at once */
          status: 'started' | 'finished' | 'canceled'
          /** Nothing new is sent until it is resumed */
          paused: boolean
          /** Something that the delivery depends on is down, throttled or out of quota. Nothing is lost meanwhile */
          held: boolean
          /** `data_url_unavailable`: data_url cannot be reached, times out, or answers 408, 425, 429 or 5xx. `outlet_open`: the mail server, the SMS provider or the feed does not take messages. `quota`: it is throttled or out of quota */
          held_reason: 'data_url_unavailable' | 'outlet_open' | 'quota' | null
          /** When a held delivery is tried again, with one message or piece: after 10 s, 1, 5 and then every 15 minutes */
          next_attempt_at: string | null
          /** Share of the range that is processed, 0 to 1. It falls only if a retry reopens the delivery */
          progress: number
          /** Time in UTC */
          created_at: string
          /** When it was last changed, or its status was */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List the messages of a delivery that failed, or of which nobody knows
     * Without personal data: who they were for is at `index` of what data_url gives for the piece. In the order in which they were put in line.
     */
    '/delivery/failures': {
      params: {
        id: number
        channel?: 'email' | 'sms' | 'feed' | undefined
        state?: 'failed' | 'unknown' | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        failures: {
          /** The first item of its piece */
          min: number
          /** The last one */
          max: number
          /** The recipient's place in what `data_url` gave for the piece, from 0 */
          index: number
          channel: 'email' | 'sms' | 'feed'
          state: 'failed' | 'unknown'
          /** As in `report` */
          reason: string
          /** Time in UTC */
          at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'delivery_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List the pieces of a delivery that data_url was asked for
     * In the order of the range.
     */
    '/delivery/pieces': {
      params: {
        id: number
        state?: 'fetching' | 'waiting' | 'sending' | 'processed' | 'failed' | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        pieces: {
          min: number
          max: number
          /** `fetching`: `data_url` is asked. `waiting`: it is asked again, also while it is down. `sending`: messages are still to be settled. Those that were not asked for yet are not listed */
          state: 'fetching' | 'waiting' | 'sending' | 'processed' | 'failed'
          /** How often `data_url` has failed; while it is down this does not count */
          tries: number
          /** Why it failed last: `unreachable`, `timeout`, `address_refused`, `query_too_long`, `http_<status>`, `not_json`, `no_content`, `not_objects`, `answer_too_large`, `too_many_recipients`, `interrupted`, `ledger_full` */
          reason: string | null
          recipients: number
        }[]
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'delivery_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Cancel a delivery, and forget it
     * Messages that are under way are still sent.
     */
    '/delivery': {
      params: {
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'delivery_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
