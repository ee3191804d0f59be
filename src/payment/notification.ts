import { Failure } from '#core/failure'
import type { Asked } from '#core/http/declaration'
import { numberOf, parseObject } from '#core/http/json'
import { Notification } from './contract.ts'
import type { Env } from './env.ts'

type Sent = Pick<Asked<Env>, 'url' | 'bytes'>

/** What carries a notification, and is signed: the body, or the query where there is none. Nothing else of a request is read. */
export const signedText = ({ url, bytes }: Sent): Uint8Array =>
  bytes.length > 0 ? bytes : new TextEncoder().encode(url.search.slice(1))

/** A notification out of a query, a form or JSON; nothing where it is not valid. */
export function notificationIn(sent: Sent): Notification | undefined {
  const fields = fieldsIn(sent)
  return fields && Notification.safeParse(fields).data
}

/** What is read of a notification. */
export const names = Object.keys(Notification.shape)

function fieldsIn(sent: Sent): Record<string, unknown> | undefined {
  if (isJson(sent.bytes)) return jsonIn(sent.bytes)
  const fields = new URLSearchParams(new TextDecoder().decode(signedText(sent)))
  // Which of two would count cannot be known.
  if (names.some((name) => fields.getAll(name).length > 1)) return undefined
  return Object.fromEntries(fields)
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
