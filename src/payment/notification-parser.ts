import { Failure } from '#core/failure'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { numberOf, parseObject } from '#core/http/json'
import type { Env } from './bindings.ts'
import { Notification, PaymentOutcome } from './contract.ts'

type Sent = Pick<UnvalidatedRequest<Env>, 'url' | 'bytes'>

/** What carries a notification, and is signed: the body, or the query where there is none. Nothing else of a request is read. */
export const signedText = ({ url, bytes }: Sent): Uint8Array =>
  bytes.length > 0 ? bytes : new TextEncoder().encode(url.search.slice(1))

/** The notification in a query, a form or a JSON body; nothing if it is not valid. */
export function notificationIn(sent: Sent): Notification | undefined {
  const fields = fieldsIn(sent)
  return fields && Notification.safeParse(fields).data
}

/**
 * Whether this notification of a transaction reports anything other than a payment that was made. Fail notifications carry a
 * reason and no status, Cancel notifications have no status, and all kinds are signed with the same secret.
 */
export function reportsNoPayment(sent: Sent): boolean {
  const outcome = PaymentOutcome.safeParse(fieldsIn(sent)).data
  return outcome !== undefined && !isPayment(outcome)
}

const isPayment = ({ Status, Reason, ReasonCode }: PaymentOutcome) =>
  Status !== undefined && Reason === undefined && ReasonCode === undefined

/** What is read of a notification. */
export const names = Object.keys(Notification.shape)

function fieldsIn(sent: Sent): Record<string, unknown> | undefined {
  if (isJson(sent.bytes)) return jsonIn(sent.bytes)
  const text = tryDecode(signedText(sent))
  if (text === undefined || !isUtf8Encoded(text)) return undefined
  const fields = new URLSearchParams(text)
  // Reject duplicate fields: it is ambiguous which one applies.
  if (names.some((name) => fields.getAll(name).length > 1)) return undefined
  return Object.fromEntries(fields)
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Bytes as text; nothing if they are not UTF-8, as U+FFFD in their place would make different accounts equal. */
function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** Whether the percent-encoded bytes of a form or query are UTF-8. */
function isUtf8Encoded(text: string): boolean {
  for (const [escapes] of text.matchAll(/(?:%[\da-f]{2})+/gi))
    if (tryDecode(Uint8Array.fromHex(escapes.replaceAll('%', ''))) === undefined) return false
  return true
}

/** A form never begins so, whatever the Content-Type says. */
export const isJson = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes.subarray(0, 100)).trimStart().startsWith('{')

/** The numbers of an object as the text that they are written in, so that `10.10` is not `1e1`. */
function jsonIn(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const object = parseObject(bytes)
    return Object.fromEntries(names.map((name) => [name, asWritten(object[name])]))
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

const asWritten = (value: unknown) => (typeof numberOf(value) === 'number' ? JSON.stringify(value) : value)
