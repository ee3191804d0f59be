import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { HttpError } from './http-error.ts'

/** Answers with 401 unless the request carries the token; an empty token allows all requests. */
export function authorize({ headers }: IncomingMessage, token: string) {
  if (!token || timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))) return
  throw new HttpError(401, 'unauthorized', 'The token is missing or wrong')
}

// `timingSafeEqual` requires equal lengths, so digests are compared.
const digest = (text: string) => createHash('sha256').update(text).digest()
