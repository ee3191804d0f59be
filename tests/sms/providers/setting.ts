import { inject } from 'vitest'
import { type Provider, providerOf } from '#sms/providers'
import type { Message, ProviderOutcome } from '#sms/providers/driver'
import type { Plan, Seen } from '../../support/sms-providers.ts'

/** A provider as an operator configures it, and what its documentation says of its answers. */
export interface Subject {
  name: string
  kind: Message['kind']
  /** Whose documentation the server keeps to. */
  protocol: 'smsc' | 'twilio' | 'vonage' | 'http'
  /** Variables of `provider_a`, by what stands after its prefix. */
  variables: Record<string, string>
  /** What stands after the server's address. */
  path?: string
  /** Of a message that is taken. */
  accepted: ProviderOutcome
  /** Whether it says how many short messages a text took. */
  tellsParts?: boolean
  /** What its documented errors mean. */
  errors: [code: string, outcome: ProviderOutcome][]
  /** Its error for too many requests, where it says itself how long to wait. */
  throttling?: string
  textOf(seen: Seen): string
  phoneOf(seen: Seen): string
  /** Fields that may be missing. */
  optional?: string[]
}

export const server = `http://127.0.0.1:${inject('smsProvidersPort')}`

/** A provider on the server, under a key of its own. */
export function set(subject: Subject, changes: Record<string, string> = {}) {
  const key = crypto.randomUUID()
  const variables = {
    URL: `${server}/${subject.protocol}/${key}${subject.path ?? ''}`,
    ...subject.variables,
    ...changes,
  }
  const { driver, account } = configured(variables)
  const message: Message = { id: '17', kind: subject.kind, phone: '77011234567', text: 'Hello', receiptUrl: undefined }
  return {
    ...{ key, driver, account, message },
    plan: (plan: Plan) => fetch(`${server}/plan/${key}`, { method: 'PUT', body: JSON.stringify(plan) }),
    seen: () => seenBy(key),
    send: (given: Partial<Message> = {}, timeout = 30_000) => driver.send(account, { ...message, ...given }, timeout),
  }
}

export const seenBy = async (key: string) => (await fetch(`${server}/seen/${key}`)).json<Seen[]>()

/** `provider_a` with these variables. */
export function configured(variables: Record<string, string>): Provider {
  const found = configuration(variables)
  if ('account' in found) return found
  throw new Error(found.unset)
}

export const configuration = (variables: Record<string, string>) =>
  providerOf(
    Object.fromEntries(Object.entries(variables).map(([name, value]) => [`PROVIDER_A_${name}`, value])) as never,
    'provider_a',
  )

export const refused = (reason: string, retryAfter?: number) =>
  ({ state: 'refused', reason, ...(retryAfter !== undefined && { retryAfter }) }) as ProviderOutcome

export const unknown = (reason: string) => ({ state: 'unknown', reason }) as ProviderOutcome
