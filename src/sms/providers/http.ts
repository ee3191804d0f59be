import { parseJson } from '#core/http/json'
import { ReceiptStates } from './contract.ts'
import type { Account, Driver, Message, ProviderOutcome, Receipt } from './driver.ts'
import { entryOf, fieldsOf, objectOf, textAt } from './fields.ts'
import { type GatewayConfig, readGatewayConfig } from './gateway-config.ts'
import { basic, jsonIn, outcomeOf, type ProviderAnswer, requestProvider } from './request.ts'
import { matchesAny } from './signature.ts'
import { fill, fillText, type JsonTemplate, namesIn, type TemplateValues } from './template.ts'

/** Driver for any gateway that accepts a message in one HTTP request. docs/sms-providers.md describes its configuration. */
export const http: Driver = {
  kinds: ['sms', 'call'],

  missing(account) {
    const config = readGatewayConfig(account)
    if (typeof config === 'string') return config
    return statesOf(account) ? undefined : 'RECEIPT_STATES'
  },

  async send(account, message, timeoutMs) {
    const config = readGatewayConfig(account)
    const url = typeof config === 'string' ? undefined : urlFor(config, message)
    if (typeof config === 'string' || !url) return { state: 'refused', reason: 'rejected' }
    const values = valuesOf(account, message)
    const { target, body, type } = contentOf(config, url, Object.entries(config.body).map(fillField(values)))
    const headers = { ...type, ...headersOf(account, config, values) }
    const init = { method: config.method, headers, ...(body !== undefined && { body }) }
    return requestProvider(target, init, timeoutMs, (answer) => outcomeFrom(config, answer))
  },

  /**
   * Verifies the secret of a receipt: a bearer token (RFC 6750) or, for gateways that cannot set headers, the parameter
   * `token`. If both are sent, both must be right.
   */
  async verifyReceipt(account, { request, url }) {
    const secret = account.variable('RECEIPT_SECRET')
    if (!secret) return undefined
    const bearer = /^bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const sent = [bearer, ...url.searchParams.getAll('token')].filter((value) => value !== undefined)
    const matches = await Promise.all(sent.map((value) => matchesAny(value, [secret])))
    return matches.length > 0 && matches.every(Boolean)
  },

  readReceipt(account, request) {
    const receipt = objectOf(request) ?? Object.fromEntries(fieldsOf(request))
    const id = textAt(receipt, parsePath(account.variable('RECEIPT_ID') ?? 'id'))
    const word = textAt(receipt, parsePath(account.variable('RECEIPT_STATE') ?? 'state'))
    if (id === undefined || word === undefined) return undefined
    const states = { ...defaultStates, ...statesOf(account) }
    return { provider_id: id, state: entryOf(states, word.toLowerCase()) ?? 'unknown', code: word }
  },
}

const parsePath = (path: string) => path.split('.')

/** URL for a message. Undefined for a call if the gateway could not tell the call from a text message. */
function urlFor({ url, callUrl, body }: GatewayConfig, { kind }: Message): string | undefined {
  if (kind === 'sms') return url
  return callUrl ?? (namesIn(body).includes('kind') ? url : undefined)
}

const valuesOf = (account: Account, { id, kind, phone, text, receiptUrl = '' }: Message): TemplateValues => ({
  ...{ id, kind, phone, '+phone': `+${phone}`, text, receipt_url: receiptUrl },
  ...{ sender: account.sender, username: account.username, password: account.password },
})

type Field = [name: string, value: JsonTemplate]

const fillField =
  (values: TemplateValues) =>
  ([name, template]: Field): Field => [name, fill(template, values)]

/** The URL, the body and the default `Content-Type` of a request. */
function contentOf({ format }: GatewayConfig, url: string, fields: Field[]) {
  if (format === 'json') {
    const body = JSON.stringify(Object.fromEntries(fields))
    return { target: url, body, type: { 'content-type': 'application/json' } }
  }
  const encoded = new URLSearchParams(fields.flatMap(formFields)).toString()
  if (format === 'query') return { target: withQuery(url, encoded), body: undefined, type: {} }
  return { target: url, body: encoded, type: { 'content-type': 'application/x-www-form-urlencoded' } }
}

/** Converts a field to fields of a form: each item of a list becomes a field, an object becomes JSON. */
function formFields([name, value]: Field): [string, string][] {
  const items = Array.isArray(value) ? value : [value]
  return items.map((item) => [name, typeof item === 'string' ? item : JSON.stringify(item)])
}

/** Appends encoded parameters to the query of a URL without re-encoding the existing ones. */
function withQuery(url: string, query: string): string {
  const target = new URL(url)
  target.search = target.search ? `${target.search}&${query}` : query
  return target.href
}

/**
 * The request headers, with lower-case names. Adds Basic authentication, unless a template places the credentials elsewhere.
 */
function headersOf({ username, password }: Account, { headers, body }: GatewayConfig, values: TemplateValues) {
  const names = [...namesIn(body), ...namesIn(headers)]
  const filled = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fillText(value, values)])
  const isPlaced = names.includes('username') || names.includes('password')
  const isBasic = username !== '' && password !== '' && !isPlaced
  return { ...(isBasic && { authorization: basic(username, password) }), ...Object.fromEntries(filled) }
}

/**
 * Any 2xx response means that the gateway accepted the message. If `ID` is configured, only a response that has an id there
 * does.
 */
function outcomeFrom({ id, stop }: GatewayConfig, answer: ProviderAnswer): ProviderOutcome {
  if (answer.status >= 400 && answer.status < 500 && stop) {
    const found = textAt(jsonIn(answer.text, parseJson), stop.path)
    if (found !== undefined && stop.values.includes(found)) return { state: 'refused', reason: 'unsubscribed' }
  }
  if (answer.status < 200 || answer.status >= 300) return outcomeOf(answer)
  if (!id) return { state: 'sent', provider_id: null }
  const found = textAt(jsonIn(answer.text, parseJson), id)
  return found === undefined ? outcomeOf(answer) : { state: 'sent', provider_id: found }
}

/** The mapping of states in RECEIPT_STATES. Undefined if the variable is invalid. */
const statesOf = (account: Account) => ReceiptStates.safeParse(jsonIn(account.variable('RECEIPT_STATES') ?? '{}')).data

/** The names of states that need no RECEIPT_STATES: those of this component, and those of SMPP (version 3.4, appendix B). */
const defaultStates: Record<string, Receipt['state']> = {
  accepted: 'accepted',
  delivered: 'delivered',
  undelivered: 'undelivered',
  expired: 'expired',
  rejected: 'rejected',
  unsubscribed: 'unsubscribed',
  unknown: 'unknown',
  enroute: 'accepted',
  acceptd: 'accepted',
  delivrd: 'delivered',
  undeliv: 'undelivered',
  rejectd: 'rejected',
  deleted: 'rejected',
}
