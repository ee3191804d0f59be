// Creates the Message-ID of a mail. A retry with the same idempotency key gets the same Message-ID, so a mail that arrives
// twice can be recognized.
import { createHash } from 'node:crypto'

/** The parts of a request by which its retry is recognized. */
interface Repeatable {
  /** The `Idempotency-Key` header. Null if the request has none. */
  key: string | null
  /** Query string with the question mark. Empty if the URL has no query. */
  query: string
  body: Uint8Array
}

/**
 * Returns a Message-ID without angle brackets (RFC 5322, section 3.6.4). With an idempotency key it is a hash of the request,
 * so each retry has the same one. Without a key it is random.
 */
export function messageIdOf({ key, query, body }: Repeatable, domain: string): string {
  if (key === null) return `${crypto.randomUUID()}@${domain}`
  const hash = createHash('sha256').update(`${key}\n${query}\n`).update(body).digest('hex')
  return `${hash.slice(0, 32)}@${domain}`
}
