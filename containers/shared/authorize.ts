import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { HttpError } from './http-error.ts'

/**
 * Throws 401 unless the request has the token of the container in `Authorization: Bearer`. An empty token allows all
 * requests.
 */
export function authorize({ headers }: IncomingMessage, token: string) {
  if (!token || timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))) return
  throw new HttpError(401, 'unauthorized', 'The token is missing or wrong')
}

// Hashes both texts, since `timingSafeEqual` requires equal lengths.
const digest = (text: string) => createHash('sha256').update(text).digest()
