// Converts a caught request to the JSON of replies, with its query and body parsed.
import { Failure } from '#core/failure'
import { parseText } from '#core/http/json'
import type { CapturedRequest, ForwardedResponse } from './contract.ts'
import type { CapturedRow, RecordedResponse } from './history.ts'
import type { ReceivedRequest } from './received-request.ts'

/** The public view of a caught request. */
export const viewOf = ({ id, created_at, response, response_body, ...received }: CapturedRow): CapturedRequest => ({
  ...parseReceived(received),
  id,
  created_at: new Date(created_at),
  ...(response !== null && { response: responseOf(response, response_body ?? new Uint8Array()) }),
})

function responseOf(response: string, bytes: Uint8Array): ForwardedResponse {
  const stored = JSON.parse(response) as Omit<RecordedResponse, 'body'>
  const isTruncated = stored.body_size > bytes.length
  return { ...stored, ...bodyOf(bytes, textOf(bytes, isTruncated)), ...(isTruncated && { body_truncated: true }) }
}

/** A body as text, or in base64 if it is no text. */
const bodyOf = (bytes: Uint8Array, text: string | undefined) =>
  text === undefined ? { body: bytes.toBase64(), body_encoding: 'base64' as const } : { body: text }

/** Parses a received request: its query, its headers, and its body as text and, if possible, as JSON. */
export function parseReceived(received: ReceivedRequest): Omit<CapturedRequest, 'id' | 'created_at'> {
  const { method, host, port, path, query, headers, body, body_size } = received
  const isTruncated = body_size !== body.length
  const text = textOf(body, isTruncated)
  return {
    method,
    host,
    port,
    path,
    query: queryOf(query),
    json: text === undefined || isTruncated ? null : jsonOf(text),
    headers: JSON.parse(headers) as Record<string, string>,
    ...bodyOf(body, text),
    ...(isTruncated && { body_truncated: true, ...(body_size !== null && { body_size }) }),
  }
}

/** The values of a query by key; an array where a key repeats. */
export function queryOf(query: string): Record<string, string | string[]> {
  const values = Map.groupBy(new URLSearchParams(query), ([key]) => key)
  return Object.fromEntries(
    [...values].map(([key, pairs]) => [key, pairs.length === 1 ? pairs[0]![1] : pairs.map(([, value]) => value)]),
  )
}

/** Decodes UTF-8, up to the last whole character if the body was truncated. Undefined if the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array, isTruncated: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isTruncated })
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Parses JSON without changing numbers. Null if the text is not JSON, or nested too deep. */
export function jsonOf(text: string): unknown {
  if (text === '') return null
  try {
    return parseText(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (Failure.is(error)) return null
    throw error
  }
}
