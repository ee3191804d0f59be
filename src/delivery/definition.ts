// The definition of a delivery (range, texts, channels, rate): builds it from the parameters of a call, applies changes and
// validates the result.
import { invalid, invalidParameters } from '#core/failure'
import type { Changes, Channel, NewDelivery } from './contract.ts'
import { failure } from './errors.ts'
import { isSameRange } from './range.ts'

/** The definition of a delivery as the database and the ledger store it: each JSON value is a JSON text. */
export interface Definition extends DeliveryContent {
  name: string
  min: number
  max: number
  gap: number
  data_url: string
  filters: string
}

/** The part of a definition that a slice needs to render and send: channels, texts and rate. */
export interface DeliveryContent {
  has_email: boolean
  has_sms: boolean
  has_feed: boolean
  email_subject: string | null
  email_html: string | null
  sms_message: string | null
  feed_title: string | null
  feed_text: string | null
  feed_image: string | null
  feed_payload: string | null
  payload: string | null
  max_per_second: number | null
}

export const channels: readonly Channel[] = ['email', 'sms', 'feed']

/** The channels that a delivery uses. */
export const channelsOf = (content: DeliveryContent): Channel[] =>
  channels.filter((channel) => content[`has_${channel}`])

/**
 * Builds the definition of a new delivery. Throws 400 if there is no channel or a channel lacks texts, 413 if the definition is
 * too large.
 */
export function defineDelivery(params: NewDelivery): Definition {
  const { name, min, max, gap, has_email, has_sms, has_feed, data_url, filters } = params
  const content = { has_email, has_sms, has_feed, ...optionalOf(params) }
  checkChannels(content)
  return checkSize({ name, min, max, gap, data_url, filters, ...content })
}

const optionalOf = (params: NewDelivery) => ({
  email_subject: params.email_subject ?? null,
  email_html: params.email_html ?? null,
  sms_message: params.sms_message ?? null,
  feed_title: params.feed_title ?? null,
  feed_text: params.feed_text ?? null,
  feed_image: params.feed_image ?? null,
  feed_payload: params.feed_payload ?? null,
  payload: params.payload ?? null,
  max_per_second: params.max_per_second ?? null,
})

/**
 * Applies changes to a definition; missing fields keep their values. Throws 400 and 413 as `defineDelivery`, and 409 if the
 * range changes after the first piece was fetched.
 */
export function amend(definition: Definition, { id: _, ...changes }: Changes, hasBegun: boolean): Definition {
  const values = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const amended: Definition = { ...definition, ...values }
  if (amended.max_per_second === 0) amended.max_per_second = null
  if (hasBegun && !isSameRange(definition, amended)) throw failure('range_fixed')
  checkChannels(amended)
  return checkSize(amended)
}

/**
 * Maximum size of a definition as JSON. A database row has at most 2 MB; the difference is for the quotes that JSON within JSON
 * escapes.
 */
const maxBytes = 1_900_000

function checkSize(definition: Definition): Definition {
  if (new TextEncoder().encode(JSON.stringify(definition)).length <= maxBytes) return definition
  throw failure(
    'payload_too_large',
    `The texts, filters and payload of a delivery must have at most ${maxBytes} bytes together, as JSON. Shorten the texts or the payload.`,
  )
}

function checkChannels(content: DeliveryContent): void {
  if (channelsOf(content).length === 0) throw invalid('has_email', 'Must be true, or has_sms or has_feed must be true')
  const errors = Object.fromEntries(
    missingTexts(content).map((field) => [field, 'Is required for this channel, in at least one locale']),
  )
  if (Object.keys(errors).length > 0) throw invalidParameters(errors)
}

const missingTexts = ({ has_email, has_sms, has_feed, ...texts }: DeliveryContent) => [
  ...(has_email && isBlank(texts.email_subject) ? ['email_subject'] : []),
  ...(has_email && isBlank(texts.email_html) ? ['email_html'] : []),
  ...(has_sms && isBlank(texts.sms_message) ? ['sms_message'] : []),
  ...(has_feed && isBlank(texts.feed_title) && isBlank(texts.feed_text) ? ['feed_text'] : []),
]

const isBlank = (json: string | null) => json === null || json === '{}'
