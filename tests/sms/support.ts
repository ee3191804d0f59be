// The SMS gateway on each database, for the tests in this folder.
import { env } from 'cloudflare:workers'
import { expect, inject } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#sms/bindings'
import { schema } from '#sms/schema'
import Sms from '../../workers/sms/index.ts'
import type { Database } from '../support/databases.ts'
import { databases } from '../support/databases.ts'
import { boundOn, startWith } from '../support/requests.ts'

export { errorReply, validationError } from '../support/refusals.ts'

const bound = env as unknown as Env

type Variables = Partial<Env> & Record<string, unknown>

/** The gateway on one database, with its own circuits. `variables` are added to its environment. */
export function smsOn(database: Database, variables: Variables = {}) {
  const own = crypto.randomUUID()
  const circuit = (code: string) => bound.PROVIDER_CIRCUIT.getByName(`${own} ${code}`)
  const settings = boundOn(database, { PROVIDER_CIRCUIT: { getByName: circuit }, ...variables }) as Env
  const { worker, fetch, send } = startWith(Sms, settings)
  return {
    dialect: database.dialect,
    env: settings,
    sms: open(settings, schema),
    fetch,
    send,
    sweep: () => worker.sweep(),
    circuit,
  }
}

export type TestedSms = ReturnType<typeof smsOn>

/** The gateway on each database, for `describe.each(gateways())`. */
export const gateways = (variables: Variables = {}) => databases.map((database) => smsOn(database, variables))

let last = 77_000_000_000 + Math.floor(Math.random() * 900_000_000)

/** A phone number that no other test uses, since tests share a database. */
export const freshPhone = () => String(last++)
export const freshPhones = (count: number) => Array.from({ length: count }, freshPhone)

/** The URL of a path on the target server, a test server that records requests. */
export const target = (path: string) => `http://127.0.0.1:${inject('targetPort')}${path}`

interface MessageReply {
  id: number
  phone: string
  state: string
  provider: string | null
  provider_id: string | null
  segments: number | null
  reason?: string
}

/** The messages in a reply of `POST /sms` or `POST /call`. */
export const messagesOf = ({ json }: { json: Record<string, never> }) =>
  (json.content as unknown as { messages: MessageReply[] }).messages

/** The message in a reply that must have exactly one. */
export function messageOf(reply: { json: Record<string, never> }): MessageReply {
  const messages = messagesOf(reply)
  expect(messages).toHaveLength(1)
  return messages[0]!
}
