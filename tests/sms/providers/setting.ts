// Sets up a provider on the test server `sms-providers`, for the tests of the drivers in this folder.
import { inject } from 'vitest'
import { type Provider, providerOf } from '#sms/providers'
import type { Message, ProviderOutcome } from '#sms/providers/driver'
import type { Plan, Seen } from '../../support/sms-providers.ts'

/** A provider as an operator configures it, and the behaviour that its documentation describes. `subjects.ts` lists them. */
export interface Subject {
  name: string
  kind: Message['kind']
  /** The API that the test server imitates for this provider. */
  protocol: 'smsc' | 'twilio' | 'vonage' | 'http'
  /** Variables of `provider_a`, named without their prefix. */
  variables: Record<string, string>
  /** Path after the address of the test server. */
  path?: string
  /** Outcome of a message that the provider accepts. */
  accepted: ProviderOutcome
  /** Whether the provider reports the number of segments. */
  tellsParts?: boolean
  /** Outcome of each documented error code. */
  errors: [code: string, outcome: ProviderOutcome][]
  /** Code of the error for too many requests, if the provider names a waiting time in it. */
  throttling?: string
  textOf(seen: Seen): string
  phoneOf(seen: Seen): string
  /** Fields of a request that may be missing. */
  optional?: string[]
}

export const server = `http://127.0.0.1:${inject('smsProvidersPort')}`

/** A provider on the test server, under a new key, which separates its requests from those of other tests. */
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

/** `provider_a` with these variables, which must be complete. */
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
