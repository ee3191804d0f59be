import type { CoreEnv } from '#core/http/declaration'
import type { RetryEnv } from '#core/http/retention'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'
import type { SmtpOutlet } from './outlet/smtp-outlet.ts'

/**
 * Bindings and environment variables of the Worker `email`. `MEDIA_URL` with `MEDIA_TOKEN` is the address of the media
 * component, which has the files of attachments, if it is not bound.
 */
export interface Env extends CoreEnv, RetryEnv {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  /** The durable objects that keep the connections to the SMTP server. */
  OUTLET: DurableObjectNamespace<SmtpOutlet>
  MEDIA?: Fetcher
  MEDIA_URL?: string
  MEDIA_TOKEN?: string
  /** Default sender: an address, or `Name <address>`. */
  EMAIL_FROM?: string
  /** Further senders that a request may use in `from`: addresses or `Name <address>`, separated by commas. */
  EMAIL_SENDERS?: string
  /** Several SMTP servers as a JSON array, instead of the server of `SMTP_HOST`. */
  SMTP_SERVERS?: string
  SMTP_HOST?: string
  SMTP_PORT?: string
  SMTP_USERNAME?: string
  SMTP_PASSWORD?: string
  /** OAuth 2.0 client that gets access tokens for XOAUTH2, instead of a password. */
  SMTP_OAUTH_TOKEN_URL?: string
  SMTP_OAUTH_CLIENT_ID?: string
  SMTP_OAUTH_CLIENT_SECRET?: string
  /** Unset: the client's own credentials give the token. */
  SMTP_OAUTH_REFRESH_TOKEN?: string
  SMTP_OAUTH_SCOPE?: string
  /** `ssl`: implicit TLS; `tls`: STARTTLS is required; empty: no TLS. */
  SMTP_ENCRYPTION?: string
  /** Maximum number of connections that are kept open, 0 to 60. Default: 6. With 0, each mail gets its own connection. */
  SMTP_CONNECTIONS?: string
  EMAIL_SIGNATURE_TEXT?: string
  EMAIL_SIGNATURE_HTML?: string
  DKIM_DOMAIN?: string
  DKIM_SELECTOR?: string
  /** RSA key in PEM; line breaks may be written as `\n`. */
  DKIM_PRIVATE_KEY?: string
  /** Address and token of the mail trap: the server that stores mails on a local start without an SMTP server. */
  MAIL_TRAP_URL?: string
  MAIL_TRAP_TOKEN?: string
}
