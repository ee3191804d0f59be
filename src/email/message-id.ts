import { createHash } from 'node:crypto'

/** What makes a request the same as an earlier one. */
interface Repeatable {
  /** The header Idempotency-Key. */
  key: string | null
  /** With its question mark; empty if there is none. */
  query: string
  body: Uint8Array
}

/**
 * A Message-ID without its angle brackets (RFC 5322, section 3.6.4): the same for each repeat of a request with an
 * idempotency key, and that request's alone; random without one.
 */
export function messageIdOf({ key, query, body }: Repeatable, domain: string): string {
  if (key === null) return `${crypto.randomUUID()}@${domain}`
  const hash = createHash('sha256').update(`${key}\n${query}\n`).update(body).digest('hex')
  return `${hash.slice(0, 32)}@${domain}`
}
