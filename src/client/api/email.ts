// Types of the operations of email, for the API client. Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Email {
  post: {
    /**
     * Send a mail
     * Sends one message to all recipients. The reply comes when the SMTP server has accepted the mail for at least one recipient. `rejected` lists the recipients that the server rejected. `reply` is the server's final reply, `recipients` has its reply about each recipient.
     *
     * 502 `smtp_failed`: the mail was certainly not sent. `content.smtp` is the server's reply code, `content.reply` the reply with the enhanced status code, `content.recipients` the replies about the recipients, as far as the server sent them. `content.step` is the step that failed. The steps `connect`, `connect over TLS`, `greeting`, `hello`, `starttls`, `login` and `sender` concern all mail; `recipients`, `data` and `message` concern this mail. With the steps `circuit_open`, `throttled` and `paused` the mail was not offered to the server. With `Retry-After` the failure is temporary.
     *
     * 504 `smtp_outcome_unknown`: the connection broke or timed out after the message had begun. The server may have accepted the mail. The component does not retry.
     *
     * With an `Idempotency-Key` the mail is sent at most once, also by concurrent requests, and keeps its `message_id`. A retry with the same key sends again after 502, returns the first reply otherwise, and returns 504 `outcome_unknown` if a crash interrupted the first request.
     *
     * Limits: 100 recipients; 25 MB of attachments, of which base64 in the request can carry 18 MB; 1,000,000 characters each for text and HTML. If there is only HTML, the text is made from it. Non-ASCII letters before the @ of an address require an SMTP server with SMTPUTF8; otherwise the reply is 400. If too much mail is being sent at the same time, the reply is 503 with `Retry-After`.
     */
    '/smtp': {
      params: {
        /** Subject: one line, at most 998 characters */
        subject: string
        /** Recipients: addresses or `Name <address>`, as an array or separated by commas. At most 100 together with cc and bcc. All appear in the message */
        to: string | string[]
        /** Sender: an address or `Name <address>`. The address must be that of EMAIL_FROM or one of EMAIL_SENDERS. Default: EMAIL_FROM */
        from?: string | undefined
        /** Plain text, at most 1000000 characters. Default: made from `html` */
        text?: string | undefined
        /** HTML, at most 1000000 characters. Pictures are attachments (`cid:`) or public URLs */
        html?: string | undefined
        /** If `false`, the configured signature is not appended; default `true` */
        signature_enabled?: boolean | undefined
        /** Recipients of a copy, visible to all recipients. Format as `to` */
        cc?: string | string[] | undefined
        /** Recipients of a blind copy, who appear in no header. Format as `to` */
        bcc?: string | string[] | undefined
        /** Addresses for replies. Format as `to`; only ASCII letters before the @ */
        reply_to?: string | string[] | undefined
        /** Additional headers by name, at most 50. Headers that the component sets, such as From, Date or Content-Type, are not allowed; default `{}` */
        headers?: { [name: string]: string } | undefined
        /** Attachments and inline pictures, at most 100 files and 25 MB together; default `[]` */
        attachments?: {
          /** Name of the file for the recipient, 1 to 255 characters in any script */
          filename: string
          /** The file in padded base64 without line breaks. Either `content` or `digest` is required */
          content?: string | undefined
          /** Digest of a file of the media component, instead of `content` */
          digest?: string | undefined
          /** Media type. Default: that of the media file, or else the one of the extension in `filename` */
          content_type?: string | undefined
          /** Content id of an inline picture, which the HTML shows with `<img src="cid:…">` */
          cid?: string | undefined
        }[] | undefined
      }
      reply: {
        /** The Message-ID header, without its angle brackets */
        message_id: string
        /** Recipients that the server rejected, as written in the request. All others were accepted */
        rejected: string[]
        /** Name of the SMTP server that accepted the mail; `default` unless SMTP_SERVERS is set */
        server: string
        /** The server's reply to the whole message */
        reply: {
          /** SMTP reply code, such as 250 */
          code: number
          /** Enhanced status code (RFC 3463), such as `2.0.0`; null if there is none */
          enhanced: string | null
          /** Text of the reply, at most 1000 characters, with addresses masked as `***`. Many providers return their id of the mail here */
          text: string
        }
        /** The server's reply about each recipient: to, then cc, then bcc. A code of 400 or more rejects the recipient */
        recipients: {
          /** Recipient, as written in the request */
          address: string
          /** SMTP reply code, such as 250 */
          code: number
          /** Enhanced status code (RFC 3463), such as `2.0.0`; null if there is none */
          enhanced: string | null
          /** Text of the reply, at most 1000 characters, with addresses masked as `***`. Many providers return their id of the mail here */
          text: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'media_failed' | 'smtp_failed' | 'unavailable' | 'not_configured' | 'outcome_unknown' | 'smtp_outcome_unknown'
    }
    /**
     * Pause an outlet
     * Sends no more mail to an SMTP server until `POST /outlet/resume`. Other servers get the mail. Without another one, mails get 502 `smtp_failed` with the step `paused` and `Retry-After`. Mails that are being sent are completed.
     */
    '/outlet/pause': {
      params: {
        /** Name of the SMTP server; `default` unless SMTP_SERVERS is set */
        name: string
      }
      reply: {
        /** The SMTP server */
        outlet: {
          /** Name of the SMTP server; `default` unless SMTP_SERVERS is set */
          name: string
          /** Host name or IP address */
          host: string
          /** TCP port */
          port: number
          /** Share of the mails. 0: used only if all other servers fail */
          weight: number
          /** State of the circuit breaker. `open`: no mail is sent. `half_open`: the next mail is the probe */
          circuit: 'closed' | 'open' | 'half_open'
          /** Whether the server is paused with `POST /outlet/pause` */
          paused: boolean
          /** Number of consecutive failures of the server */
          failures: number
          /** Seconds until the circuit breaker allows a mail; 0 if it allows one now */
          retry_after: number
          /** Mails per second; null if the server does not throttle */
          rate: number | null
          /** Number of mails that wait for a connection */
          waiting: number
          /** Number of open connections */
          connections: number
          /** Maximum number of open connections. 0: each mail gets its own, without circuit breaker and rate */
          max_connections: number
          /** The last error that concerned the server; null if there was none */
          last_error: {
            /** Step of the session that failed, such as `connect` or `login` */
            step: string
            /** SMTP reply code; null without a reply */
            code: number | null
            /** Enhanced status code (RFC 3463); null if there is none */
            enhanced: string | null
            /** When the error occurred */
            created_at: string
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'outlet_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Resume an outlet
     * Sends mail to an SMTP server again that was paused. Without effect on other servers.
     */
    '/outlet/resume': {
      params: {
        /** Name of the SMTP server; `default` unless SMTP_SERVERS is set */
        name: string
      }
      reply: {
        /** The SMTP server */
        outlet: {
          /** Name of the SMTP server; `default` unless SMTP_SERVERS is set */
          name: string
          /** Host name or IP address */
          host: string
          /** TCP port */
          port: number
          /** Share of the mails. 0: used only if all other servers fail */
          weight: number
          /** State of the circuit breaker. `open`: no mail is sent. `half_open`: the next mail is the probe */
          circuit: 'closed' | 'open' | 'half_open'
          /** Whether the server is paused with `POST /outlet/pause` */
          paused: boolean
          /** Number of consecutive failures of the server */
          failures: number
          /** Seconds until the circuit breaker allows a mail; 0 if it allows one now */
          retry_after: number
          /** Mails per second; null if the server does not throttle */
          rate: number | null
          /** Number of mails that wait for a connection */
          waiting: number
          /** Number of open connections */
          connections: number
          /** Maximum number of open connections. 0: each mail gets its own, without circuit breaker and rate */
          max_connections: number
          /** The last error that concerned the server; null if there was none */
          last_error: {
            /** Step of the session that failed, such as `connect` or `login` */
            step: string
            /** SMTP reply code; null without a reply */
            code: number | null
            /** Enhanced status code (RFC 3463); null if there is none */
            enhanced: string | null
            /** When the error occurred */
            created_at: string
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'outlet_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * Probe an outlet
     * Connects to an SMTP server and logs in, without waiting for the end of `retry_after`. Closes the circuit breaker if that succeeds; otherwise `last_error` has the error. A paused server is not probed.
     */
    '/outlet/probe': {
      params: {
        /** Name of the SMTP server; `default` unless SMTP_SERVERS is set */
        name: string
      }
      reply: {
        /** The SMTP server */
        outlet: {
          /** Name of the SMTP server; `default` unless SMTP_SERVERS is set */
          name: string
          /** Host name or IP address */
          host: string
          /** TCP port */
          port: number
          /** Share of the mails. 0: used only if all other servers fail */
          weight: number
          /** State of the circuit breaker. `open`: no mail is sent. `half_open`: the next mail is the probe */
          circuit: 'closed' | 'open' | 'half_open'
          /** Whether the server is paused with `POST /outlet/pause` */
          paused: boolean
          /** Number of consecutive failures of the server */
          failures: number
          /** Seconds until the circuit breaker allows a mail; 0 if it allows one now */
          retry_after: number
          /** Mails per second; null if the server does not throttle */
          rate: number | null
          /** Number of mails that wait for a connection */
          waiting: number
          /** Number of open connections */
          connections: number
          /** Maximum number of open connections. 0: each mail gets its own, without circuit breaker and rate */
          max_connections: number
          /** The last error that concerned the server; null if there was none */
          last_error: {
            /** Step of the session that failed, such as `connect` or `login` */
            step: string
            /** SMTP reply code; null without a reply */
            code: number | null
            /** Enhanced status code (RFC 3463); null if there is none */
            enhanced: string | null
            /** When the error occurred */
            created_at: string
          } | null
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'outlet_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List caught mails
     * Only on a local start without SMTP_HOST: returns the stored mails, newest first. Otherwise the reply is 404 `route_not_found`. The same as `GET /messages`, with the parameters in the body, so that no URL has them.
     */
    '/messages': {
      params: {
        /** Only mails to an address that contains this text, in To, Cc or Bcc */
        to?: string | undefined
        /** Only mails whose subject contains this text */
        subject?: string | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** The mails, newest first */
        messages: {
          /** Id of the caught mail */
          id: string
          /** Sender, from the From header */
          from: string
          /** Recipients, from the To header */
          to: string[]
          /** Recipients of copies, from the Cc header */
          cc: string[]
          /** Subject */
          subject: string
          /** Plain text */
          text: string
          /** HTML; null if there is none */
          html: string | null
          /** Attachments and inline pictures, without their content */
          attachments: {
            /** Name of the file; null if it has none */
            filename: string | null
            /** Media type */
            content_type: string
            /** Size of the file in bytes */
            size: number
            /** Content id of an inline picture; null for other files */
            cid: string | null
          }[]
          /** Headers by lower-case name; of repeated headers the first */
          headers: { [name: string]: string }
          /** SMTP envelope. Recipients of bcc appear only here */
          envelope: {
            /** Address of MAIL FROM */
            from: string
            /** Addresses of RCPT TO */
            to: string[]
          }
          /** Size of the source in bytes */
          size: number
          /** When the mail was caught */
          created_at: string
        }[]
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'trap_failed' | 'unavailable' | 'not_configured'
    }
  }
  get: {
    /**
     * List outlets
     * Returns the configured SMTP servers with their circuit breakers, rates, connections and last errors, in the order of the configuration.
     */
    '/outlets': {
      params: None
      reply: {
        /** The SMTP servers */
        outlets: {
          /** Name of the SMTP server; `default` unless SMTP_SERVERS is set */
          name: string
          /** Host name or IP address */
          host: string
          /** TCP port */
          port: number
          /** Share of the mails. 0: used only if all other servers fail */
          weight: number
          /** State of the circuit breaker. `open`: no mail is sent. `half_open`: the next mail is the probe */
          circuit: 'closed' | 'open' | 'half_open'
          /** Whether the server is paused with `POST /outlet/pause` */
          paused: boolean
          /** Number of consecutive failures of the server */
          failures: number
          /** Seconds until the circuit breaker allows a mail; 0 if it allows one now */
          retry_after: number
          /** Mails per second; null if the server does not throttle */
          rate: number | null
          /** Number of mails that wait for a connection */
          waiting: number
          /** Number of open connections */
          connections: number
          /** Maximum number of open connections. 0: each mail gets its own, without circuit breaker and rate */
          max_connections: number
          /** The last error that concerned the server; null if there was none */
          last_error: {
            /** Step of the session that failed, such as `connect` or `login` */
            step: string
            /** SMTP reply code; null without a reply */
            code: number | null
            /** Enhanced status code (RFC 3463); null if there is none */
            enhanced: string | null
            /** When the error occurred */
            created_at: string
          } | null
        }[]
      }
      errors: 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'unavailable' | 'not_configured'
    }
    /**
     * List caught mails
     * Only on a local start without SMTP_HOST: returns the stored mails, newest first. Otherwise the reply is 404 `route_not_found`. A URL may be stored in logs and histories: `POST /messages` takes the same parameters in the body.
     */
    '/messages': {
      params: {
        /** Only mails to an address that contains this text, in To, Cc or Bcc */
        to?: string | undefined
        /** Only mails whose subject contains this text */
        subject?: string | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        /** The mails, newest first */
        messages: {
          /** Id of the caught mail */
          id: string
          /** Sender, from the From header */
          from: string
          /** Recipients, from the To header */
          to: string[]
          /** Recipients of copies, from the Cc header */
          cc: string[]
          /** Subject */
          subject: string
          /** Plain text */
          text: string
          /** HTML; null if there is none */
          html: string | null
          /** Attachments and inline pictures, without their content */
          attachments: {
            /** Name of the file; null if it has none */
            filename: string | null
            /** Media type */
            content_type: string
            /** Size of the file in bytes */
            size: number
            /** Content id of an inline picture; null for other files */
            cid: string | null
          }[]
          /** Headers by lower-case name; of repeated headers the first */
          headers: { [name: string]: string }
          /** SMTP envelope. Recipients of bcc appear only here */
          envelope: {
            /** Address of MAIL FROM */
            from: string
            /** Addresses of RCPT TO */
            to: string[]
          }
          /** Size of the source in bytes */
          size: number
          /** When the mail was caught */
          created_at: string
        }[]
        /** Present if the page ended at 8 MB before it had `limit` items: more items follow. A page with `limit` items never has it, even if more items follow */
        has_more?: true
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'trap_failed' | 'unavailable' | 'not_configured'
    }
    /**
     * Get a caught mail
     * Returns one stored mail with its decoded parts. Only on a local start without SMTP_HOST; otherwise the reply is 404 `route_not_found`.
     */
    '/message': {
      params: {
        /** Id of the caught mail */
        id: string
      }
      reply: {
        /** The mail */
        message: {
          /** Id of the caught mail */
          id: string
          /** Sender, from the From header */
          from: string
          /** Recipients, from the To header */
          to: string[]
          /** Recipients of copies, from the Cc header */
          cc: string[]
          /** Subject */
          subject: string
          /** Plain text */
          text: string
          /** HTML; null if there is none */
          html: string | null
          /** Attachments and inline pictures, without their content */
          attachments: {
            /** Name of the file; null if it has none */
            filename: string | null
            /** Media type */
            content_type: string
            /** Size of the file in bytes */
            size: number
            /** Content id of an inline picture; null for other files */
            cid: string | null
          }[]
          /** Headers by lower-case name; of repeated headers the first */
          headers: { [name: string]: string }
          /** SMTP envelope. Recipients of bcc appear only here */
          envelope: {
            /** Address of MAIL FROM */
            from: string
            /** Addresses of RCPT TO */
            to: string[]
          }
          /** Size of the source in bytes */
          size: number
          /** When the mail was caught */
          created_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'trap_failed' | 'unavailable' | 'not_configured'
    }
    /**
     * Download the source of a caught mail
     * Returns the unchanged message as `message/rfc822`. Only on a local start without SMTP_HOST; otherwise the reply is 404 `route_not_found`.
     */
    '/message/raw': {
      params: {
        /** Id of the caught mail */
        id: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'trap_failed' | 'unavailable' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /**
     * Delete all caught mails
     * Deletes all stored mails for ever. Only on a local start without SMTP_HOST; otherwise the reply is 404 `route_not_found`.
     */
    '/messages': {
      params: None
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'insufficient_scope' | 'out_of_bounds' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'rate_limit' | 'internal_error' | 'trap_failed' | 'unavailable' | 'not_configured'
    }
  }
}
