// Parses the processor's notifications, which come in the query, as a form or as JSON.
import { Failure } from '#core/failure'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { numberOf, parseObject } from '#core/http/json'
import type { Env } from './bindings.ts'
import { Notification, PaymentOutcome } from './contract.ts'

/** The parts of a request that can have a notification. */
type NotificationSource = Pick<UnvalidatedRequest<Env>, 'url' | 'bytes'>

/** The bytes that hold a notification and that its HMAC signs: the body, or the query if there is no body. */
export const signedBytes = ({ url, bytes }: NotificationSource): Uint8Array =>
  bytes.length > 0 ? bytes : new TextEncoder().encode(url.search.slice(1))

/** Parses the notification in a query, a form or a JSON body; undefined if it is not valid. */
export function parseNotification(source: NotificationSource): Notification | undefined {
  const fields = fieldsOf(source)
  return fields && Notification.safeParse(fields).data
}

/**
 * Whether this notification of a transaction reports anything other than a payment that was made. Fail notifications carry a
 * reason and no status, Cancel notifications have no status, and all kinds are signed with the same secret.
 */
export function reportsNoPayment(source: NotificationSource): boolean {
  const outcome = PaymentOutcome.safeParse(fieldsOf(source)).data
  return outcome !== undefined && !isPayment(outcome)
}

const isPayment = ({ Status, Reason, ReasonCode }: PaymentOutcome) =>
  Status !== undefined && Reason === undefined && ReasonCode === undefined

/** Names of the fields that the parser reads. Only these must be unique in a notification. */
export const fieldNames = Object.keys(Notification.shape)

function fieldsOf(source: NotificationSource): Record<string, unknown> | undefined {
  if (isJson(source.bytes)) return jsonFields(source.bytes)
  const text = tryDecode(signedBytes(source))
  if (text === undefined || !isUtf8Encoded(text)) return undefined
  const fields = new URLSearchParams(text)
  // Reject duplicate fields: it is ambiguous which one applies.
  if (fieldNames.some((name) => fields.getAll(name).length > 1)) return undefined
  return Object.fromEntries(fields)
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Decodes UTF-8; undefined for other bytes, because replacing them with U+FFFD would make different accounts equal. */
function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return strictUtf8.decode(bytes)
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

/** Detects JSON by its first character, since the Content-Type may be wrong. A form never begins with a brace. */
export const isJson = (bytes: Uint8Array) =>
  new TextDecoder().decode(bytes.subarray(0, 100)).trimStart().startsWith('{')

/** Fields of a JSON body. Numbers are returned as the text in the body, so that `10.10` and `1e1` stay distinguishable. */
function jsonFields(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const object = parseObject(bytes)
    return Object.fromEntries(fieldNames.map((name) => [name, originalText(object[name])]))
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

const originalText = (value: unknown) => (typeof numberOf(value) === 'number' ? JSON.stringify(value) : value)
