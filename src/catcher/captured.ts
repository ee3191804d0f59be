import { Failure } from '#core/failure'
import { parseText } from '#core/http/json'
import type { CapturedRequest } from './contract.ts'
import type { CapturedRow } from './history.ts'
import type { Taken } from './taken.ts'

/** A kept request as readers see it. */
export const captured = ({ id, created_at, ...taken }: CapturedRow): CapturedRequest => ({
  ...readTaken(taken),
  id,
  created_at: new Date(created_at),
})

/** What a request says, with its body as text and, where it is that, as JSON. */
export function readTaken(taken: Taken): Omit<CapturedRequest, 'id' | 'created_at'> {
  const { method, host, port, path, query, headers, body, body_size } = taken
  const isCut = body_size !== body.length
  const text = textOf(body, isCut)
  return {
    method,
    host,
    port,
    path,
    query: queryOf(query),
    json: text === undefined || isCut ? null : jsonOf(text),
    headers: JSON.parse(headers) as Record<string, string>,
    ...(text === undefined ? { body: body.toBase64(), body_encoding: 'base64' } : { body: text }),
    ...(isCut && { body_truncated: true, ...(body_size !== null && { body_size }) }),
  }
}

/** The values of a query by key; an array where a key repeats. */
export function queryOf(query: string): Record<string, string | string[]> {
  const values = Map.groupBy(new URLSearchParams(query), ([key]) => key)
  return Object.fromEntries(
    [...values].map(([key, pairs]) => [key, pairs.length === 1 ? pairs[0]![1] : pairs.map(([, value]) => value)]),
  )
}

/** UTF-8 as text, of a cut one up to the last whole character; nothing where it is not UTF-8. */
export function textOf(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** JSON with every number as it was sent; null where it is not JSON, or nested too deep. */
export function jsonOf(text: string): unknown {
  if (text === '') return null
  try {
    return parseText(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (Failure.is(error)) return null
    throw error
  }
}
