import { createHash } from 'node:crypto'
import { urlOf } from '#core/http/base'

/**
 * A Message-ID without its angle brackets (RFC 5322, section 3.6.4): the same for each repeat of a request with an
 * idempotency key, and that request's alone; random without one.
 */
export function messageIdOf(request: Request, bytes: Uint8Array, domain: string): string {
  const key = request.headers.get('idempotency-key')
  if (key === null) return `${crypto.randomUUID()}@${domain}`
  const { search } = urlOf(request)
  const hash = createHash('sha256').update(`${key}\n${search}\n`).update(bytes).digest('hex')
  return `${hash.slice(0, 32)}@${domain}`
}
