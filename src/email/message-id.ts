// Creates the Message-ID of a mail, which stays the same when a request is retried with its idempotency key.
import { createHash } from 'node:crypto'

/** The parts by which a retry of a request is recognized. */
interface Repeatable {
  /** The `Idempotency-Key` header. */
  key: string | null
  /** Query with the question mark; empty if there is none. */
  query: string
  body: Uint8Array
}

/**
 * Returns a Message-ID without angle brackets (RFC 5322, section 3.6.4). With an idempotency key it is the same for each
 * retry of the request; without one it is random.
 */
export function messageIdOf({ key, query, body }: Repeatable, domain: string): string {
  if (key === null) return `${crypto.randomUUID()}@${domain}`
  const hash = createHash('sha256').update(`${key}\n${query}\n`).update(body).digest('hex')
  return `${hash.slice(0, 32)}@${domain}`
}
