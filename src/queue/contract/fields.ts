// Schemas of the queue's parameters that several parts of its API share: names, headers, labels.
import * as z from 'zod'
import { text } from '#core/http/fields'

const Name = text(64).regex(
  /^\w[\w.-]*$/,
  'Must be 1 to 64 letters, digits, _, . and -, and must not begin with . or -',
)

export const WorkerName = Name.meta({
  description:
    'Name of the worker. The worker `default` and one for each component always exist; `PUT /worker` and `QUEUE_WORKERS` add others. An unknown name gets 400',
  examples: ['default'],
})
export const ScheduleName = Name.describe('Name of the schedule: 1 to 64 letters, digits, `_`, `.` and `-`')

const token = /^[\w!#$%&'*+.^`|~-]+$/

// Methods that no task may have: CONNECT opens a tunnel through a proxy, and the response to TRACE or TRACK repeats secret headers.
const refusedMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])
export const Method = text(32)
  .regex(token, 'Must be an HTTP method')
  .refine((method) => !refusedMethods.has(method.toUpperCase()), 'Must not be CONNECT, TRACE or TRACK')

// Headers that no caller may set: those of the connection, and those in which the queue sends the task's id and attempt and the signature.
const reservedHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|x-task-id|x-task-attempt|webhook-id|webhook-timestamp|webhook-signature)$/i
const maxHeadersBytes = 16_384

// Whether the names and values are valid in HTTP. Values are ASCII only, since `fetch` and sockets encode other characters differently.
const isSendable = (headers: Record<string, string>) =>
  Object.entries(headers).every(([name, value]) => token.test(name) && /^[\t\x20-\x7e]*$/.test(value))
const hasReserved = (headers: Record<string, string>) => Object.keys(headers).some((name) => reservedHeaders.test(name))

export const Headers = z
  .record(z.string(), z.string())
  .refine(isSendable, 'Must have names and values that HTTP allows')
  .refine(
    (headers) => !hasReserved(headers),
    'Must not have headers of the connection, X-Task-Id, X-Task-Attempt, Webhook-Id, Webhook-Timestamp or Webhook-Signature',
  )
  .refine((headers) => JSON.stringify(headers).length <= maxHeadersBytes, `Must have at most ${maxHeadersBytes} bytes`)

const maxLabels = 8

export const Label = text(64).min(1)

/** The labels of a task. Duplicates are dropped. */
export const Labels = z.array(Label).max(maxLabels)

/** Whether a text is base64 with padding (RFC 4648, section 4), without line breaks. */
export const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

/** Why an attempt got no response. */
export const TaskError = z.enum([
  'unreachable',
  'interrupted',
  'timeout',
  'redirected',
  'refused',
  'query_too_long',
  'unreadable',
  'moved',
  'lost',
  'expired',
])
export type TaskError = z.output<typeof TaskError>
