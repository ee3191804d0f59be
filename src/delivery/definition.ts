import { invalid, invalidParameters } from '#core/failure'
import type { Changes, Channel, NewDelivery } from './contract.ts'
import { failure } from './errors.ts'
import { isSameRange } from './range.ts'

/** What a delivery is to send, to whom: as it is stored, JSON as text. */
export interface Definition extends DeliveryContent {
  name: string
  min: number
  max: number
  gap: number
  data_url: string
  filters: string
}

/** What goes out, by which channels, how fast. */
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

/** The channels that a delivery sends by. */
export const channelsOf = (content: DeliveryContent): Channel[] =>
  channels.filter((channel) => content[`has_${channel}`])

/** A new delivery as it is stored; 400 where a channel lacks its texts, or there is none, 413 where it is too large. */
export function defineDelivery(given: NewDelivery): Definition {
  const { name, min, max, gap, has_email, has_sms, has_feed, data_url, filters } = given
  const content = { has_email, has_sms, has_feed, ...optionalOf(given) }
  checkChannels(content)
  return checkSize({ name, min, max, gap, data_url, filters, ...content })
}

const optionalOf = (given: NewDelivery) => ({
  email_subject: given.email_subject ?? null,
  email_html: given.email_html ?? null,
  sms_message: given.sms_message ?? null,
  feed_title: given.feed_title ?? null,
  feed_text: given.feed_text ?? null,
  feed_image: given.feed_image ?? null,
  feed_payload: given.feed_payload ?? null,
  payload: given.payload ?? null,
  max_per_second: given.max_per_second ?? null,
})

/** A delivery with changes: what is absent stays. 400 and 413 as for a new one, 409 where the range changes after it has begun. */
export function amend(definition: Definition, { id: _, ...changes }: Changes, hasBegun: boolean): Definition {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const amended: Definition = { ...definition, ...given }
  if (amended.max_per_second === 0) amended.max_per_second = null
  if (hasBegun && !isSameRange(definition, amended)) throw failure('range_fixed')
  checkChannels(amended)
  return checkSize(amended)
}

/** Less than the two megabytes of a row, of which quotes within quotes take their part. */
const mostBytes = 1_900_000

function checkSize(definition: Definition): Definition {
  if (new TextEncoder().encode(JSON.stringify(definition)).length <= mostBytes) return definition
  throw failure(
    'payload_too_large',
    `The texts, filters and payload of a delivery must have at most ${mostBytes} bytes together, as JSON within JSON.`,
  )
}

function checkChannels(content: DeliveryContent): void {
  if (channelsOf(content).length === 0) throw invalid('has_email', 'One of has_email, has_sms and has_feed is required')
  const errors = Object.fromEntries(
    missingTexts(content).map((field) => [field, 'Is required, in one locale at least, with this channel']),
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
