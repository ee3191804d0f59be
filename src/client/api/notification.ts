// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Notification {
  post: {
    /**
     * Create a template
     * With `has_email` it needs `email_subject` and `email_html`, with `has_sms` `sms_message`; a feed may do with the `feed_payload` of a call. 409 `code_taken`.
     */
    '/notification': {
      params: {
        /** For reference */
        name: string
        /** A short description */
        description?: string | undefined
        /** What POST /notify calls it by; unique */
        code: string
        /** It goes out by email; needs `email_subject` and `email_html`; `false` unless given */
        has_email?: boolean | undefined
        /** It goes out by SMS; needs `sms_message`; `false` unless given */
        has_sms?: boolean | undefined
        /** It goes into the feed; `false` unless given */
        has_feed?: boolean | undefined
        /** The subject; one line, whatever the values have in them. At most 2000 characters in one locale */
        email_subject?: string | { [name: string]: string } | undefined
        /** HTML of the email. Each value is escaped once; the filter `raw` writes a value unescaped. At most 500000 characters in one locale */
        email_html?: string | { [name: string]: string } | undefined
        /** The text of the SMS. An integer stands for its digits. At most 10000 characters in one locale */
        sms_message?: string | { [name: string]: string } | number | undefined
        /** The title of the record in the feed. At most 5000 characters in one locale */
        feed_title?: string | { [name: string]: string } | undefined
        /** The text of the record in the feed. At most 200000 characters in one locale */
        feed_text?: string | { [name: string]: string } | undefined
        /** The URL of its image. At most 5000 characters in one locale */
        feed_image?: string | { [name: string]: string } | undefined
      }
      reply: {
        notification: {
          /** Identity of the template */
          id: number
          name: string
          description: string | null
          code: string
          /** It goes out by email; needs `email_subject` and `email_html` */
          has_email: boolean
          /** It goes out by SMS; needs `sms_message` */
          has_sms: boolean
          /** It goes into the feed */
          has_feed: boolean
          /** As it was sent */
          email_subject: string | { [name: string]: string } | null
          email_html: string | { [name: string]: string } | null
          sms_message: string | number | { [name: string]: string } | null
          feed_title: string | { [name: string]: string } | null
          feed_text: string | { [name: string]: string } | null
          feed_image: string | { [name: string]: string } | null
          /** The values of `payload` that its texts read, in alphabetical order */
          variables: string[]
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'code_taken' | 'payload_too_large' | 'internal_error' | 'database_full' | 'not_configured' | 'outcome_unknown'
    }
    /**
     * List templates, the newest first
     * The filters are met all together; `has_email`, `has_sms` and `has_feed` are those with it, or without it.
     */
    '/notifications': {
      params: {
        /** A part of the name, in any case */
        name?: string | undefined
        /** The whole code */
        code?: string | undefined
        has_email?: boolean | undefined
        has_sms?: boolean | undefined
        has_feed?: boolean | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        notifications: {
          /** Identity of the template */
          id: number
          name: string
          description: string | null
          code: string
          /** It goes out by email; needs `email_subject` and `email_html` */
          has_email: boolean
          /** It goes out by SMS; needs `sms_message` */
          has_sms: boolean
          /** It goes into the feed */
          has_feed: boolean
          /** As it was sent */
          email_subject: string | { [name: string]: string } | null
          email_html: string | { [name: string]: string } | null
          sms_message: string | number | { [name: string]: string } | null
          feed_title: string | { [name: string]: string } | null
          feed_text: string | { [name: string]: string } | null
          feed_image: string | { [name: string]: string } | null
          /** The values of `payload` that its texts read, in alphabetical order */
          variables: string[]
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
        /** The page ended early, at 8 MB; there are more */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * See what a template becomes
     * Renders every text that there is, whatever channels are on: those of the template that `id` or `code` names, or texts that come with the call, or both, of which those of the call win. Nothing is sent or kept. For SMS it says how many segments the message takes.
     */
    '/notification/preview': {
      params: {
        /** Identity of the template */
        id?: number | undefined
        /** Of a template, in place of `id` */
        code?: string | undefined
        /** The subject; one line, whatever the values have in them. At most 2000 characters in one locale */
        email_subject?: string | { [name: string]: string } | undefined
        /** HTML of the email. Each value is escaped once; the filter `raw` writes a value unescaped. At most 500000 characters in one locale */
        email_html?: string | { [name: string]: string } | undefined
        /** The text of the SMS. An integer stands for its digits. At most 10000 characters in one locale */
        sms_message?: string | { [name: string]: string } | number | undefined
        /** The title of the record in the feed. At most 5000 characters in one locale */
        feed_title?: string | { [name: string]: string } | undefined
        /** The text of the record in the feed. At most 200000 characters in one locale */
        feed_text?: string | { [name: string]: string } | undefined
        /** The URL of its image. At most 5000 characters in one locale */
        feed_image?: string | { [name: string]: string } | undefined
        /** As POST /notify has it; `""` unless given */
        locale?: string | undefined
        /** The values that the templates read, by name */
        payload?: { [name: string]: unknown } | undefined
      }
      reply: {
        preview: {
          email: {
            subject: string | null
            html: string | null
          } | null
          sms: {
            message: string
            /** `gsm7`: 160 characters a segment, 153 of several. `ucs2`, where a character is not in that alphabet: 70 and 67 */
            encoding: 'gsm7' | 'ucs2'
            /** How many short messages it takes */
            segments: number
          } | null
          feed: {
            title: string | null
            text: string | null
            image: string | null
          } | null
          /** The locale whose text was taken; null where there is no text, or one for all */
          locales: {
            email_subject: string | null
            email_html: string | null
            sms_message: string | null
            feed_title: string | null
            feed_text: string | null
            feed_image: string | null
          }
          /** The values of `payload` that these texts read, in alphabetical order */
          variables: string[]
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'notification_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * Send a notification
     * A channel goes out where the template has it and the call has its target: `email`, `phone`, or `feed_collection` and `feed_recipient`. Each is a task of the queue, in the worker NOTIFICATION_QUEUE_WORKER, tried again for some four hours until the email, SMS or feed component has taken it; the reply says which are queued, and not that they have arrived. Phones on the blacklist get nothing. A channel whose text comes out blank is skipped: an email without subject or HTML, an SMS without text, a record without title, text, image and payload. Where all are skipped it is 400 `nothing_to_send`. All texts are rendered, and all targets checked, before anything is queued.
     *
     * 502 `queue_failed` or 504 `queue_timeout` where the queue has not taken a message, or has not said so; `content.channels` says which it has. A repeat with the same `Idempotency-Key` then queues what is missing, and nothing twice.
     */
    '/notify': {
      params: {
        /** The code of the template */
        notification: string
        /** The language of who gets it */
        locale: string
        /** Who gets the email: an address, or `Name <address>` */
        email?: string | undefined
        /** Who gets the SMS: with the country code; spaces and `+ ( ) - .` are taken off */
        phone?: string | undefined
        /** The collection of the feed that gets the record */
        feed_collection?: string | undefined
        /** Whose record it is */
        feed_recipient?: string | undefined
        /** The record's own payload */
        feed_payload?: { [name: string]: unknown } | undefined
        /** The values that the templates read, by name */
        payload?: { [name: string]: unknown } | undefined
      }
      reply: {
        channels: {
          email: {
            /** `queued`: the queue has the message. `skipped`: there was nothing to send, see `reason`. `failed`, in refusals alone: the queue has not taken it, or has not said so. */
            state: 'queued' | 'skipped' | 'failed'
            /** The task of the queue; missing where an earlier call that was cut off had queued another text */
            task?: string
            /** Why it was skipped. `disabled`: the template does not go out there. `no_target`: the call does not say to whom. `empty`: what the template makes of this payload is blank. */
            reason?: 'disabled' | 'no_target' | 'empty'
          }
          sms: {
            /** `queued`: the queue has the message. `skipped`: there was nothing to send, see `reason`. `failed`, in refusals alone: the queue has not taken it, or has not said so. */
            state: 'queued' | 'skipped' | 'failed'
            /** The task of the queue; missing where an earlier call that was cut off had queued another text */
            task?: string
            /** Why it was skipped. `disabled`: the template does not go out there. `no_target`: the call does not say to whom. `empty`: what the template makes of this payload is blank. */
            reason?: 'disabled' | 'no_target' | 'empty'
          }
          feed: {
            /** `queued`: the queue has the message. `skipped`: there was nothing to send, see `reason`. `failed`, in refusals alone: the queue has not taken it, or has not said so. */
            state: 'queued' | 'skipped' | 'failed'
            /** The task of the queue; missing where an earlier call that was cut off had queued another text */
            task?: string
            /** Why it was skipped. `disabled`: the template does not go out there. `no_target`: the call does not say to whom. `empty`: what the template makes of this payload is blank. */
            reason?: 'disabled' | 'no_target' | 'empty'
          }
        }
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'nothing_to_send' | 'unauthorized' | 'cross_site_request' | 'notification_not_found' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'queue_failed' | 'not_configured' | 'outcome_unknown' | 'queue_timeout'
    }
  }
  patch: {
    /**
     * Change a template
     * What is not given stays; `""` empties a text or the description; an object of locales replaces all locales of its field. What comes out must be a template that could be created: to empty `sms_message`, say `has_sms: false` with it. Messages that are queued stay as they are.
     */
    '/notification': {
      params: {
        /** Identity of the template */
        id: number
        /** For reference */
        name?: string | undefined
        /** A short description */
        description?: string | undefined
        /** What POST /notify calls it by; unique */
        code?: string | undefined
        /** It goes out by email; needs `email_subject` and `email_html` */
        has_email?: boolean | undefined
        /** It goes out by SMS; needs `sms_message` */
        has_sms?: boolean | undefined
        /** It goes into the feed */
        has_feed?: boolean | undefined
        /** The subject; one line, whatever the values have in them. At most 2000 characters in one locale */
        email_subject?: string | { [name: string]: string } | undefined
        /** HTML of the email. Each value is escaped once; the filter `raw` writes a value unescaped. At most 500000 characters in one locale */
        email_html?: string | { [name: string]: string } | undefined
        /** The text of the SMS. An integer stands for its digits. At most 10000 characters in one locale */
        sms_message?: string | { [name: string]: string } | number | undefined
        /** The title of the record in the feed. At most 5000 characters in one locale */
        feed_title?: string | { [name: string]: string } | undefined
        /** The text of the record in the feed. At most 200000 characters in one locale */
        feed_text?: string | { [name: string]: string } | undefined
        /** The URL of its image. At most 5000 characters in one locale */
        feed_image?: string | { [name: string]: string } | undefined
      }
      reply: {
        notification: {
          /** Identity of the template */
          id: number
          name: string
          description: string | null
          code: string
          /** It goes out by email; needs `email_subject` and `email_html` */
          has_email: boolean
          /** It goes out by SMS; needs `sms_message` */
          has_sms: boolean
          /** It goes into the feed */
          has_feed: boolean
          /** As it was sent */
          email_subject: string | { [name: string]: string } | null
          email_html: string | { [name: string]: string } | null
          sms_message: string | number | { [name: string]: string } | null
          feed_title: string | { [name: string]: string } | null
          feed_text: string | { [name: string]: string } | null
          feed_image: string | { [name: string]: string } | null
          /** The values of `payload` that its texts read, in alphabetical order */
          variables: string[]
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'notification_not_found' | 'code_taken' | 'notification_busy' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
  get: {
    /** Read a template by its id or its code */
    '/notification': {
      params: {
        /** Identity of the template */
        id?: number | undefined
        /** What POST /notify calls it by; unique */
        code?: string | undefined
      }
      reply: {
        notification: {
          /** Identity of the template */
          id: number
          name: string
          description: string | null
          code: string
          /** It goes out by email; needs `email_subject` and `email_html` */
          has_email: boolean
          /** It goes out by SMS; needs `sms_message` */
          has_sms: boolean
          /** It goes into the feed */
          has_feed: boolean
          /** As it was sent */
          email_subject: string | { [name: string]: string } | null
          email_html: string | { [name: string]: string } | null
          sms_message: string | number | { [name: string]: string } | null
          feed_title: string | { [name: string]: string } | null
          feed_text: string | { [name: string]: string } | null
          feed_image: string | { [name: string]: string } | null
          /** The values of `payload` that its texts read, in alphabetical order */
          variables: string[]
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'notification_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /**
     * List templates, the newest first
     * The filters are met all together; `has_email`, `has_sms` and `has_feed` are those with it, or without it.
     */
    '/notifications': {
      params: {
        /** A part of the name, in any case */
        name?: string | undefined
        /** The whole code */
        code?: string | undefined
        has_email?: boolean | undefined
        has_sms?: boolean | undefined
        has_feed?: boolean | undefined
        /** Adds `nb_results`, the matches before limit and offset; `false` unless given */
        count?: boolean | undefined
        /** How many to return; `100` unless given */
        limit?: number | undefined
        /** How many to skip; `0` unless given */
        offset?: number | undefined
      }
      reply: {
        notifications: {
          /** Identity of the template */
          id: number
          name: string
          description: string | null
          code: string
          /** It goes out by email; needs `email_subject` and `email_html` */
          has_email: boolean
          /** It goes out by SMS; needs `sms_message` */
          has_sms: boolean
          /** It goes into the feed */
          has_feed: boolean
          /** As it was sent */
          email_subject: string | { [name: string]: string } | null
          email_html: string | { [name: string]: string } | null
          sms_message: string | number | { [name: string]: string } | null
          feed_title: string | { [name: string]: string } | null
          feed_text: string | { [name: string]: string } | null
          feed_image: string | { [name: string]: string } | null
          /** The values of `payload` that its texts read, in alphabetical order */
          variables: string[]
          /** UTC */
          created_at: string
          /** UTC */
          updated_at: string
        }[]
        /** The matches before limit and offset, when `count` is true */
        nb_results?: number
        /** The page ended early, at 8 MB; there are more */
        has_more?: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
    /** Whether the component answers, and to who has access what it depends on */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Delete a template
     * Messages that are queued are sent all the same.
     */
    '/notification': {
      params: {
        /** Identity of the template */
        id: number
      }
      reply: {
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'notification_not_found' | 'payload_too_large' | 'internal_error' | 'not_configured'
    }
  }
}
