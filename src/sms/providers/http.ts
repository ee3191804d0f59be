import { parseJson } from '#core/http/json'
import { ask, basic, jsonIn, outcomeOf, type ProviderAnswer } from './ask.ts'
import { ReceiptStates } from './contract.ts'
import { entryOf, fieldsOf, objectOf, textAt } from './fields.ts'
import { isAmong } from './proof.ts'
import type { Account, Driver, Message, ProviderOutcome, Receipt } from './provider.ts'
import { type Recipe, recipeOf } from './recipe.ts'
import { fill, fillText, type JsonTemplate, namesIn, type TemplateValues } from './template.ts'

/** Any gateway that takes a message by one HTTP request: docs/sms-providers.md says how one is described. */
export const http: Driver = {
  kinds: ['sms', 'call'],

  missing(account) {
    const recipe = recipeOf(account)
    if (typeof recipe === 'string') return recipe
    return statesOf(account) ? undefined : 'RECEIPT_STATES'
  },

  async send(account, message, timeout) {
    const recipe = recipeOf(account)
    const url = typeof recipe === 'string' ? undefined : urlFor(recipe, message)
    if (typeof recipe === 'string' || !url) return { state: 'refused', reason: 'rejected' }
    const values = valuesOf(account, message)
    const { target, body, type } = contentOf(recipe, url, Object.entries(recipe.body).map(filledBy(values)))
    const headers = { ...type, ...headersOf(account, recipe, values) }
    const init = { method: recipe.method, headers, ...(body !== undefined && { body }) }
    return ask(target, init, timeout, (answer) => understand(recipe, answer))
  },

  /** By the secret itself: as a bearer token (RFC 6750), or in the query for who can send no headers. */
  async isProven(account, { request, url }) {
    const secret = account.variable('RECEIPT_SECRET')
    if (!secret) return undefined
    const bearer = /^bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    return isAmong(bearer ?? url.searchParams.get('token'), [secret])
  },

  readReceipt(account, asked) {
    const receipt = objectOf(asked) ?? Object.fromEntries(fieldsOf(asked))
    const id = textAt(receipt, wayTo(account.variable('RECEIPT_ID') ?? 'id'))
    const word = textAt(receipt, wayTo(account.variable('RECEIPT_STATE') ?? 'state'))
    if (id === undefined || word === undefined) return undefined
    const states = { ...usualStates, ...statesOf(account) }
    return { provider_id: id, state: entryOf(states, word.toLowerCase()) ?? 'unknown', code: word }
  },
}

const wayTo = (path: string) => path.split('.')

/** Where a message goes; nowhere with a call that would arrive as a text. */
function urlFor({ url, callUrl, body }: Recipe, { kind }: Message): string | undefined {
  if (kind === 'sms') return url
  return callUrl ?? (namesIn(body).includes('kind') ? url : undefined)
}

const valuesOf = (account: Account, { id, kind, phone, text, receiptUrl = '' }: Message): TemplateValues => ({
  ...{ id, kind, phone, '+phone': `+${phone}`, text, receipt_url: receiptUrl },
  ...{ sender: account.sender, username: account.username, password: account.password },
})

type Field = [name: string, value: JsonTemplate]

const filledBy =
  (values: TemplateValues) =>
  ([name, template]: Field): Field => [name, fill(template, values)]

/** A request's URL and body, with the type that the body has unless a header says otherwise. */
function contentOf({ format }: Recipe, url: string, fields: Field[]) {
  if (format === 'json') {
    const body = JSON.stringify(Object.fromEntries(fields))
    return { target: url, body, type: { 'content-type': 'application/json' } }
  }
  const encoded = new URLSearchParams(fields.flatMap(written)).toString()
  if (format === 'query') return { target: withQuery(url, encoded), body: undefined, type: {} }
  return { target: url, body: encoded, type: { 'content-type': 'application/x-www-form-urlencoded' } }
}

/** A field as a form has it: each item of a list by itself, an object as JSON text. */
function written([name, value]: Field): [string, string][] {
  const items = Array.isArray(value) ? value : [value]
  return items.map((item) => [name, typeof item === 'string' ? item : JSON.stringify(item)])
}

/** The URL with more in its query; what stands there stays as it is written. */
function withQuery(url: string, more: string): string {
  const target = new URL(url)
  target.search = target.search ? `${target.search}&${more}` : more
  return target.href
}

/** Headers in lower case. Basic authentication, where the credentials have no place of their own. */
function headersOf({ username, password }: Account, { headers, body }: Recipe, values: TemplateValues) {
  const names = [...namesIn(body), ...namesIn(headers)]
  const filled = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fillText(value, values)])
  const isPlaced = names.includes('username') || names.includes('password')
  const isBasic = username !== '' && password !== '' && !isPlaced
  return { ...(isBasic && { authorization: basic(username, password) }), ...Object.fromEntries(filled) }
}

/** Any success means that the message was taken; where the reply has to name it, only one that does. */
function understand({ id, stop }: Recipe, answer: ProviderAnswer): ProviderOutcome {
  if (answer.status >= 400 && answer.status < 500 && stop) {
    const found = textAt(jsonIn(answer.text, parseJson), stop.path)
    if (found !== undefined && stop.values.includes(found)) return { state: 'refused', reason: 'unsubscribed' }
  }
  if (answer.status < 200 || answer.status >= 300) return outcomeOf(answer)
  if (!id) return { state: 'sent', provider_id: null }
  const found = textAt(jsonIn(answer.text, parseJson), id)
  return found === undefined ? outcomeOf(answer) : { state: 'sent', provider_id: found }
}

/** What the gateway's words mean, where they are not among the usual ones; nothing where that cannot be read. */
const statesOf = (account: Account) => ReceiptStates.safeParse(jsonIn(account.variable('RECEIPT_STATES') ?? '{}')).data

/** Our own words, and those of SMPP (version 3.4, appendix B). */
const usualStates: Record<string, Receipt['state']> = {
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
