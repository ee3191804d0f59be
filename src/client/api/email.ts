// Written by `npm run client` from docs/openapi.json.
import type { Health, None } from '../gateway.ts'

export interface Email {
  post: {
    /**
     * Send a mail
     * The answer comes when the server has taken the mail for one recipient at least, and names those that it refused in `rejected`. `reply` is the server's final reply, `recipients` its reply about each recipient. 502 `smtp_failed`: it has certainly not gone out; `content.smtp` is the server's code if it gave one, `content.reply` that reply with its enhanced status code and text, `content.recipients` the replies about the recipients, `content.step` what it was the answer to: `connect`, `connect over TLS`, `greeting`, `hello`, `starttls`, `login` or `sender`, which concern any mail, `recipients`, `data` or `message`. With `Retry-After` it may take the mail later. 504 `smtp_outcome_unknown`: the connection was lost, or nothing came, after the message had begun; it may have been taken, and is not sent again by itself. With an Idempotency-Key a mail goes out once, however often and at how many places at once it is asked for, and has the same message_id each time: a repeat tries again after what certainly failed, gets the first answer after all else, and 504 `outcome_unknown` where a crash cut the message off. Text and html have a million characters at the most, a mail 100 recipients and 25 MB of attachments, of which a request in base64 carries 18. Html alone gets a text made from it, which is its words alone where it is nested more than 200 levels deep. Letters beyond ASCII before the @ of an address need a server that has SMTPUTF8, else 400. 503 with `Retry-After` where too much is being sent at once.
     */
    '/smtp': {
      params: {
        subject: string
        /** Whom it is to: addresses, each alone or as `Name <address>`, in an array or separated by commas. All of them stand in the one message */
        to: string | string[]
        /** The sender: an address, or `Name <address>`. Must be that of EMAIL_FROM, which is the default, or one of EMAIL_SENDERS; else 400 */
        from?: string | undefined
        /** Plain text; made from the html where there is only that */
        text?: string | undefined
        /** A page; its pictures by cid: or at public addresses */
        html?: string | undefined
        /** false leaves the configured signature out of this mail; default `true` */
        signature_enabled?: boolean | undefined
        /** Who gets a copy, for all to see; as `to` */
        cc?: string | string[] | undefined
        /** Who gets a copy that nobody else sees: it is in no header; as `to` */
        bcc?: string | string[] | undefined
        /** Whom a reply goes to; as `to` */
        reply_to?: string | string[] | undefined
        /** Further headers, by name; none that the mail has itself, such as From, Date or Content-Type; default `{}` */
        headers?: { [name: string]: string } | undefined
        /** default `[]` */
        attachments?: {
          /** What it is called where it arrives, in any script */
          filename: string
          /** The file, in base64; either this or `digest` */
          content?: string | undefined
          /** In place of `content`: a file of the media service */
          digest?: string | undefined
          /** A media type; unless given that of the media service's file, or what the name's extension stands for */
          content_type?: string | undefined
          /** For a picture inside the html: <img src="cid:…"> */
          cid?: string | undefined
        }[] | undefined
      }
      reply: {
        /** The Message-ID header, without its angle brackets */
        message_id: string
        /** The recipients that the server refused; it took the mail for all others */
        rejected: string[]
        /** The server's reply to the whole message */
        reply: {
          /** SMTP reply code, such as 250 */
          code: number
          /** Enhanced status code (RFC 3463), such as `2.0.0`; null if there is none */
          enhanced: string | null
          /** Text of the reply, at most 1000 characters. Many providers put their own id of the mail into it */
          text: string
        }
        /** The server's reply about each recipient: to, then cc, then bcc. A code of 400 or more is a refusal */
        recipients: {
          address: string
          /** SMTP reply code, such as 250 */
          code: number
          /** Enhanced status code (RFC 3463), such as `2.0.0`; null if there is none */
          enhanced: string | null
          /** Text of the reply, at most 1000 characters. Many providers put their own id of the mail into it */
          text: string
        }[]
      }
      keyed: true
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'idempotency_key_reused' | 'idempotency_key_in_use' | 'payload_too_large' | 'internal_error' | 'media_failed' | 'smtp_failed' | 'not_configured' | 'unavailable' | 'outcome_unknown' | 'smtp_outcome_unknown'
    }
  }
  get: {
    /**
     * List the mails that a local start has caught, the newest first
     * Where mail goes to an SMTP server, as it does deployed, there is no such path: 404.
     */
    '/messages': {
      params: {
        /** A part of an address that it went to, as To, Cc or Bcc */
        to?: string | undefined
        /** A part of the subject */
        subject?: string | undefined
        /** Maximum number of items to return; default `100` */
        limit?: number | undefined
        /** Number of items to skip; default `0` */
        offset?: number | undefined
        /** Whether to return `nb_results`, the total number of matches. Counting takes extra time; default `false` */
        count?: boolean | undefined
      }
      reply: {
        messages: {
          id: string
          /** As the header has it */
          from: string
          to: string[]
          cc: string[]
          subject: string
          text: string
          html: string | null
          attachments: {
            filename: string | null
            content_type: string
            size: number
            cid: string | null
          }[]
          /** By lower-case name; the first of each */
          headers: { [name: string]: string }
          /** Whom the server was told it is from and for; bcc is here alone */
          envelope: {
            from: string
            to: string[]
          }
          /** Bytes, as it came */
          size: number
          /** Time in UTC */
          created_at: string
        }[]
        /** Present if the page was cut at 8 MB before it reached `limit`: more items follow */
        has_more?: true
        /** Total number of matches, regardless of `limit` and `offset`. Present if `count` is true */
        nb_results?: number
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'internal_error' | 'trap_failed' | 'not_configured'
    }
    /** Read a mail that a local start has caught */
    '/message': {
      params: {
        id: string
      }
      reply: {
        message: {
          id: string
          /** As the header has it */
          from: string
          to: string[]
          cc: string[]
          subject: string
          text: string
          html: string | null
          attachments: {
            filename: string | null
            content_type: string
            size: number
            cid: string | null
          }[]
          /** By lower-case name; the first of each */
          headers: { [name: string]: string }
          /** Whom the server was told it is from and for; bcc is here alone */
          envelope: {
            from: string
            to: string[]
          }
          /** Bytes, as it came */
          size: number
          /** Time in UTC */
          created_at: string
        }
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'internal_error' | 'trap_failed' | 'not_configured'
    }
    /** Read a mail that a local start has caught, as it came */
    '/message/raw': {
      params: {
        id: string
      }
      reply: Response
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'internal_error' | 'trap_failed' | 'not_configured'
    }
    /** Whether the component answers and, for callers with access, whether its dependencies do */
    '/_health': { params: None; reply: Health }
  }
  delete: {
    /** Forget the mails that a local start has caught */
    '/messages': {
      params: None
      reply: {
        /** Always true in a success */
        status: true
      }
      errors: 'validation_failed' | 'invalid_json' | 'unauthorized' | 'cross_site_request' | 'message_not_found' | 'route_not_found' | 'payload_too_large' | 'internal_error' | 'trap_failed' | 'not_configured'
    }
  }
}
