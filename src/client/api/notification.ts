// Types of the operations of notification, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Notification {
  post: {
    /**
     * Create a template
     * With `has_email`, `email_subject` and `email_html` are required; with `has_sms`, `sms_message`. With `has_feed` no text is required, since `POST /notify` can pass a `feed_payload`. A text that does not parse is rejected with its field, locale, line and column. A repeat with the same `Idempotency-Key` creates no second template.
     */
    '/notification': {
      params: {
        /** Name of the template for people, 1 to 255 characters */
        name: string
        /** Description for people, at most 1 000 characters */
        description?: string | undefined
        /** Unique code of the template, which `POST /notify` passes, 1 to 255 characters */
        code: string
        /** Whether the template sends email. Requires `email_subject` and `email_html`; default `false` */
        has_email?: boolean | undefined
        /** Whether the template sends SMS. Requires `sms_message`; default `false` */
        has_sms?: boolean | undefined
        /** Whether the template adds a feed record; default `false` */
        has_feed?: boolean | undefined
        /** Subject of the email. Line breaks become spaces. A Liquid template, or an object with one template per locale: at most 2000 characters each, and 100000 bytes of JSON together */
        email_subject?: string | { [name: string]: string } | undefined
        /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. A Liquid template, or an object with one template per locale: at most 500000 characters each, and 800000 bytes of JSON together */
        email_html?: string | { [name: string]: string } | undefined
        /** Text of the SMS. A Liquid template, or an object with one template per locale: at most 10000 characters each, and 200000 bytes of JSON together. An integer becomes its digits */
        sms_message?: string | { [name: string]: string } | number | undefined
        /** Title of the feed record. A Liquid template, or an object with one template per locale: at most 5000 characters each, and 100000 bytes of JSON together */
        feed_title?: string | { [name: string]: string } | undefined
        /** Text of the feed record. A Liquid template, or an object with one template per locale: at most 200000 characters each, and 400000 bytes of JSON together */
        feed_text?: string | { [name: string]: string } | undefined
        /** URL of the image of the feed record. A Liquid template, or an object with one template per locale: at most 5000 characters each, and 100000 bytes of JSON together */
        feed_image?: string | { [name: string]: string } | undefined
      }
      reply: {
        /** The template */
        notification: {
          /** Id of the template */
          id: number
          /** Name of the template for people */
          name: string
          /** Description for people */
          description: string | null
          /** Unique code of the template */
          code: string
          /** Whether the template sends email. Requires `email_subject` and `email_html` */
          has_email: boolean
          /** Whether the template sends SMS. Requires `sms_message` */
          has_sms: boolean
          /** Whether the template adds a feed record */
          has_feed: boolean
          /** Subject of the email: the string, or the object of strings by locale, that was passed */
          email_subject: string | { [name: string]: string } | null
          /** HTML of the email, in the form that was passed */
          email_html: string | { [name: string]: string } | null
          /** Text of the SMS, in the form that was passed */
          sms_message: string | number | { [name: string]: string } | null
          /** Title of the feed record, in the form that was passed */
          feed_title: string | { [name: string]: string } | null
          /** Text of the feed record, in the form that was passed */
          feed_text: string | { [name: string]: string } | null
          /** URL of the image of the feed record, in the form that was passed */
          feed_image: string | { [name: string]: string } | null
          /** Names of the `payload` values that the texts use, in alphabetical order */
          variables: string[]
          /** Time of creation in UTC */
          created_at: string
          /** Time of the last change in UTC */
          updated_at: string
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'code_taken' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * List templates
     * Templates that match all filters, newest first. `GET` and `POST` are equal. A page ends early at 8 MB and has `has_more` then: request the rest with `offset`.
     */
    '/notifications': {
      params: {
        /** Only templates with this text in their name. Case is ignored */
        name?: string | undefined
        /** Only the template with this code */
        code?: string | undefined
        /** `true`: only templates that use email. `false`: only others */
        has_email?: boolean | undefined
        /** `true`: only templates that use SMS. `false`: only others */
        has_sms?: boolean | undefined
        /** `true`: only templates that use the feed. `false`: only others */
        has_feed?: boolean | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Templates of the page, newest first */
        notifications: {
          /** Id of the template */
          id: number
          /** Name of the template for people */
          name: string
          /** Description for people */
          description: string | null
          /** Unique code of the template */
          code: string
          /** Whether the template sends email. Requires `email_subject` and `email_html` */
          has_email: boolean
          /** Whether the template sends SMS. Requires `sms_message` */
          has_sms: boolean
          /** Whether the template adds a feed record */
          has_feed: boolean
          /** Subject of the email: the string, or the object of strings by locale, that was passed */
          email_subject: string | { [name: string]: string } | null
          /** HTML of the email, in the form that was passed */
          email_html: string | { [name: string]: string } | null
          /** Text of the SMS, in the form that was passed */
          sms_message: string | number | { [name: string]: string } | null
          /** Title of the feed record, in the form that was passed */
          feed_title: string | { [name: string]: string } | null
          /** Text of the feed record, in the form that was passed */
          feed_text: string | { [name: string]: string } | null
          /** URL of the image of the feed record, in the form that was passed */
          feed_image: string | { [name: string]: string } | null
          /** Names of the `payload` values that the texts use, in alphabetical order */
          variables: string[]
          /** Time of creation in UTC */
          created_at: string
          /** Time of the last change in UTC */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Preview a template
     * Renders the texts of a stored template (pass `id` or `code`), the texts in the call, or both: then texts in the call replace those of the template. All texts are rendered, also those of channels that are off. Texts that do not parse, take too many steps or are too long are rejected with 400, as when sending. Nothing is sent or stored.
     */
    '/notification/preview': {
      params: {
        /** Id of a template */
        id?: number | undefined
        /** Code of a template, instead of `id` */
        code?: string | undefined
        /** Subject of the email. Line breaks become spaces. A Liquid template, or an object with one template per locale: at most 2000 characters each, and 100000 bytes of JSON together */
        email_subject?: string | { [name: string]: string } | undefined
        /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. A Liquid template, or an object with one template per locale: at most 500000 characters each, and 800000 bytes of JSON together */
        email_html?: string | { [name: string]: string } | undefined
        /** Text of the SMS. A Liquid template, or an object with one template per locale: at most 10000 characters each, and 200000 bytes of JSON together. An integer becomes its digits */
        sms_message?: string | { [name: string]: string } | number | undefined
        /** Title of the feed record. A Liquid template, or an object with one template per locale: at most 5000 characters each, and 100000 bytes of JSON together */
        feed_title?: string | { [name: string]: string } | undefined
        /** Text of the feed record. A Liquid template, or an object with one template per locale: at most 200000 characters each, and 400000 bytes of JSON together */
        feed_text?: string | { [name: string]: string } | undefined
        /** URL of the image of the feed record. A Liquid template, or an object with one template per locale: at most 5000 characters each, and 100000 bytes of JSON together */
        feed_image?: string | { [name: string]: string } | undefined
        /** Locale of the recipient, as for `POST /notify`. Default: empty, which selects NOTIFY_DEFAULT_LOCALE or else the first locale of each text; default `""` */
        locale?: string | undefined
        /** Values for the texts, by name: a JSON object. Default: no values */
        payload?: { [name: string]: unknown } | undefined
      }
      reply: {
        /** The rendered messages */
        preview: {
          /** The email, null if it has neither subject nor HTML */
          email: {
            /** Subject, null if there is no such text */
            subject: string | null
            /** HTML, null if there is no such text */
            html: string | null
          } | null
          /** The SMS, null if there is no text */
          sms: {
            /** Text of the SMS */
            message: string
            /** `gsm7`: 160 characters in one segment, or 153 in each of several. `ucs2`, if a character is not in the GSM alphabet: 70 or 67 */
            encoding: 'gsm7' | 'ucs2'
            /** Number of segments, which providers charge for */
            segments: number
          } | null
          /** The feed record, null if it has no text */
          feed: {
            /** Title, null if there is no such text */
            title: string | null
            /** Text, null if there is no such text */
            text: string | null
            /** URL of the image, null if there is no such text */
            image: string | null
          } | null
          /** Locale of each text that was used. Null if there is no text, or if it has no locales */
          locales: {
            /** Locale of `email_subject` */
            email_subject: string | null
            /** Locale of `email_html` */
            email_html: string | null
            /** Locale of `sms_message` */
            sms_message: string | null
            /** Locale of `feed_title` */
            feed_title: string | null
            /** Locale of `feed_text` */
            feed_text: string | null
            /** Locale of `feed_image` */
            feed_image: string | null
          }
          /** Names of the `payload` values that these texts use, in alphabetical order */
          variables: string[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'notification_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Send a notification
     * Sends by each channel that the template uses and that has a recipient in the call: `email`, `phone`, or `feed_collection` with `feed_recipient`. All texts are rendered and all recipients are checked before the first message is queued. A channel whose text is blank is skipped: an email without subject or HTML, an SMS without text, a record without title, text, image and payload. If all channels are skipped, the reply is 400 `nothing_to_send`.
     *
     * Each message is a task of the queue worker NOTIFICATION_QUEUE_WORKER, which retries it for about four hours. The reply says which messages are queued, not that they arrived: `GET /task` of the queue shows the state of a message by its `task`. Phones on the blacklist get no SMS.
     *
     * On 502 `queue_failed` or 504 `queue_timeout`, `content.channels` says which messages are queued. A repeat with the same `Idempotency-Key` queues only the missing ones.
     */
    '/notify': {
      params: {
        /** Code of the template */
        notification: string
        /** Locale of the recipient, such as `kk-KZ`. Selects the text of each field */
        locale: string
        /** Recipient of the email: an address, or `Name <address>`. Without it no email is sent */
        email?: string | undefined
        /** Recipient of the SMS: 7 to 15 digits with the country code. Spaces and `+ ( ) - .` are removed. Without it no SMS is sent */
        phone?: string | undefined
        /** Collection of the feed that gets the record. Required for the feed, with `feed_recipient` */
        feed_collection?: string | undefined
        /** Recipient of the feed record, at most 255 characters. Required for the feed, with `feed_collection` */
        feed_recipient?: string | undefined
        /** Payload of the feed record: a JSON object, which is stored unchanged */
        feed_payload?: { [name: string]: unknown } | undefined
        /** Values for the texts, by name: a JSON object. Default: no values */
        payload?: { [name: string]: unknown } | undefined
      }
      reply: {
        /** Outcome of each channel */
        channels: {
          /** Outcome of the email */
          email: {
            /** `queued`: the queue has the message. `skipped`: nothing is sent, see `reason`. `failed`: the queue did not accept or did not confirm the message; only in error replies. */
            state: 'queued' | 'skipped' | 'failed'
            /** Id of the task in the queue that sends the message, for `GET /task` of the queue. Missing if an earlier call with the same `Idempotency-Key` was interrupted and had queued another text */
            task?: string
            /** Reason for `skipped`. `disabled`: the template does not use this channel. `no_target`: the call has no recipient for it. `empty`: the text is blank with this payload. */
            reason?: 'disabled' | 'no_target' | 'empty'
          }
          /** Outcome of the SMS */
          sms: {
            /** `queued`: the queue has the message. `skipped`: nothing is sent, see `reason`. `failed`: the queue did not accept or did not confirm the message; only in error replies. */
            state: 'queued' | 'skipped' | 'failed'
            /** Id of the task in the queue that sends the message, for `GET /task` of the queue. Missing if an earlier call with the same `Idempotency-Key` was interrupted and had queued another text */
            task?: string
            /** Reason for `skipped`. `disabled`: the template does not use this channel. `no_target`: the call has no recipient for it. `empty`: the text is blank with this payload. */
            reason?: 'disabled' | 'no_target' | 'empty'
          }
          /** Outcome of the feed record */
          feed: {
            /** `queued`: the queue has the message. `skipped`: nothing is sent, see `reason`. `failed`: the queue did not accept or did not confirm the message; only in error replies. */
            state: 'queued' | 'skipped' | 'failed'
            /** Id of the task in the queue that sends the message, for `GET /task` of the queue. Missing if an earlier call with the same `Idempotency-Key` was interrupted and had queued another text */
            task?: string
            /** Reason for `skipped`. `disabled`: the template does not use this channel. `no_target`: the call has no recipient for it. `empty`: the text is blank with this payload. */
            reason?: 'disabled' | 'no_target' | 'empty'
          }
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'nothing_to_send' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'notification_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'queue_failed' | 'unavailable' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
  }
  patch: {
    /**
     * Change a template
     * Missing parameters keep their values. `""` clears a text or the description. An object of locales replaces all locales of its field. The result must be a valid template: to clear `sms_message`, also pass `has_sms: false`. Queued messages do not change.
     */
    '/notification': {
      params: {
        /** Id of the template */
        id: number
        /** Name of the template for people, 1 to 255 characters */
        name?: string | undefined
        /** Description for people, at most 1 000 characters */
        description?: string | undefined
        /** Unique code of the template, which `POST /notify` passes, 1 to 255 characters */
        code?: string | undefined
        /** Whether the template sends email. Requires `email_subject` and `email_html` */
        has_email?: boolean | undefined
        /** Whether the template sends SMS. Requires `sms_message` */
        has_sms?: boolean | undefined
        /** Whether the template adds a feed record */
        has_feed?: boolean | undefined
        /** Subject of the email. Line breaks become spaces. A Liquid template, or an object with one template per locale: at most 2000 characters each, and 100000 bytes of JSON together */
        email_subject?: string | { [name: string]: string } | undefined
        /** HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping. A Liquid template, or an object with one template per locale: at most 500000 characters each, and 800000 bytes of JSON together */
        email_html?: string | { [name: string]: string } | undefined
        /** Text of the SMS. A Liquid template, or an object with one template per locale: at most 10000 characters each, and 200000 bytes of JSON together. An integer becomes its digits */
        sms_message?: string | { [name: string]: string } | number | undefined
        /** Title of the feed record. A Liquid template, or an object with one template per locale: at most 5000 characters each, and 100000 bytes of JSON together */
        feed_title?: string | { [name: string]: string } | undefined
        /** Text of the feed record. A Liquid template, or an object with one template per locale: at most 200000 characters each, and 400000 bytes of JSON together */
        feed_text?: string | { [name: string]: string } | undefined
        /** URL of the image of the feed record. A Liquid template, or an object with one template per locale: at most 5000 characters each, and 100000 bytes of JSON together */
        feed_image?: string | { [name: string]: string } | undefined
      }
      reply: {
        /** The template */
        notification: {
          /** Id of the template */
          id: number
          /** Name of the template for people */
          name: string
          /** Description for people */
          description: string | null
          /** Unique code of the template */
          code: string
          /** Whether the template sends email. Requires `email_subject` and `email_html` */
          has_email: boolean
          /** Whether the template sends SMS. Requires `sms_message` */
          has_sms: boolean
          /** Whether the template adds a feed record */
          has_feed: boolean
          /** Subject of the email: the string, or the object of strings by locale, that was passed */
          email_subject: string | { [name: string]: string } | null
          /** HTML of the email, in the form that was passed */
          email_html: string | { [name: string]: string } | null
          /** Text of the SMS, in the form that was passed */
          sms_message: string | number | { [name: string]: string } | null
          /** Title of the feed record, in the form that was passed */
          feed_title: string | { [name: string]: string } | null
          /** Text of the feed record, in the form that was passed */
          feed_text: string | { [name: string]: string } | null
          /** URL of the image of the feed record, in the form that was passed */
          feed_image: string | { [name: string]: string } | null
          /** Names of the `payload` values that the texts use, in alphabetical order */
          variables: string[]
          /** Time of creation in UTC */
          created_at: string
          /** Time of the last change in UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'notification_not_found' | 'code_taken' | 'notification_busy' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * Get a template
     * Finds the template by `id`, by `code`, or by both if they belong to the same template. At least one is required.
     */
    '/notification': {
      params: {
        /** Id of the template */
        id?: number | undefined
        /** Unique code of the template, which `POST /notify` passes, 1 to 255 characters */
        code?: string | undefined
      }
      reply: {
        /** The template */
        notification: {
          /** Id of the template */
          id: number
          /** Name of the template for people */
          name: string
          /** Description for people */
          description: string | null
          /** Unique code of the template */
          code: string
          /** Whether the template sends email. Requires `email_subject` and `email_html` */
          has_email: boolean
          /** Whether the template sends SMS. Requires `sms_message` */
          has_sms: boolean
          /** Whether the template adds a feed record */
          has_feed: boolean
          /** Subject of the email: the string, or the object of strings by locale, that was passed */
          email_subject: string | { [name: string]: string } | null
          /** HTML of the email, in the form that was passed */
          email_html: string | { [name: string]: string } | null
          /** Text of the SMS, in the form that was passed */
          sms_message: string | number | { [name: string]: string } | null
          /** Title of the feed record, in the form that was passed */
          feed_title: string | { [name: string]: string } | null
          /** Text of the feed record, in the form that was passed */
          feed_text: string | { [name: string]: string } | null
          /** URL of the image of the feed record, in the form that was passed */
          feed_image: string | { [name: string]: string } | null
          /** Names of the `payload` values that the texts use, in alphabetical order */
          variables: string[]
          /** Time of creation in UTC */
          created_at: string
          /** Time of the last change in UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'notification_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List templates
     * Templates that match all filters, newest first. `GET` and `POST` are equal. A page ends early at 8 MB and has `has_more` then: request the rest with `offset`.
     */
    '/notifications': {
      params: {
        /** Only templates with this text in their name. Case is ignored */
        name?: string | undefined
        /** Only the template with this code */
        code?: string | undefined
        /** `true`: only templates that use email. `false`: only others */
        has_email?: boolean | undefined
        /** `true`: only templates that use SMS. `false`: only others */
        has_sms?: boolean | undefined
        /** `true`: only templates that use the feed. `false`: only others */
        has_feed?: boolean | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
      }
      reply: {
        /** Templates of the page, newest first */
        notifications: {
          /** Id of the template */
          id: number
          /** Name of the template for people */
          name: string
          /** Description for people */
          description: string | null
          /** Unique code of the template */
          code: string
          /** Whether the template sends email. Requires `email_subject` and `email_html` */
          has_email: boolean
          /** Whether the template sends SMS. Requires `sms_message` */
          has_sms: boolean
          /** Whether the template adds a feed record */
          has_feed: boolean
          /** Subject of the email: the string, or the object of strings by locale, that was passed */
          email_subject: string | { [name: string]: string } | null
          /** HTML of the email, in the form that was passed */
          email_html: string | { [name: string]: string } | null
          /** Text of the SMS, in the form that was passed */
          sms_message: string | number | { [name: string]: string } | null
          /** Title of the feed record, in the form that was passed */
          feed_title: string | { [name: string]: string } | null
          /** Text of the feed record, in the form that was passed */
          feed_text: string | { [name: string]: string } | null
          /** URL of the image of the feed record, in the form that was passed */
          feed_image: string | { [name: string]: string } | null
          /** Names of the `payload` values that the texts use, in alphabetical order */
          variables: string[]
          /** Time of creation in UTC */
          created_at: string
          /** Time of the last change in UTC */
          updated_at: string
        }[]
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Delete a template
     * Deletes the template. Its `code` can be used again. Messages that are already queued are still sent.
     */
    '/notification': {
      params: {
        /** Id of the template */
        id: number
      }
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'notification_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
  }
}
