import type { CoreEnv } from '#core/http/declaration'
import type { RetryEnv } from '#core/http/retention'
import type { IdempotencyRecord } from '#core/objects/idempotency-record'

/** What the sender of mail needs bound, and the variables it reads. */
export interface Env extends CoreEnv, RetryEnv {
  FIRST_REPLY: DurableObjectNamespace<IdempotencyRecord>
  MEDIA?: Fetcher
  MEDIA_URL?: string
  MEDIA_TOKEN?: string
  /** An address, or `Name <address>`. */
  EMAIL_FROM?: string
  /** The further senders that a call may name in `from`: addresses, or `Name <address>`, separated by commas. */
  EMAIL_SENDERS?: string
  SMTP_HOST?: string
  SMTP_PORT?: string
  SMTP_USERNAME?: string
  SMTP_PASSWORD?: string
  /** `ssl`: TLS from the first byte; `tls`: STARTTLS is required; empty: neither. */
  SMTP_ENCRYPTION?: string
  EMAIL_SIGNATURE_TEXT?: string
  EMAIL_SIGNATURE_HTML?: string
  DKIM_DOMAIN?: string
  DKIM_SELECTOR?: string
  /** PEM; its line breaks may be written as `\n`. */
  DKIM_PRIVATE_KEY?: string
  /** Where a local start keeps the mail that it takes in place of an SMTP server, and the token that it asks for. */
  MAIL_TRAP_URL?: string
  MAIL_TRAP_TOKEN?: string
}
