// Converts a recipient from `data_url` to the rows that the ledger stores: finds the target of each channel, and hashes it so
// that duplicates are detected without storing addresses.
import { createHash } from 'node:crypto'
import { isDeeper } from '#core/http/json'
import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'
import type { Person } from '#core/person/places'
import type { Channel } from './contract.ts'
import type { StagedRecipient } from './ledger/pages.ts'

/** A recipient from `data_url`: a JSON object whose fields are targets and values for the texts. */
export type Recipient = Record<string, unknown>

/** Maximum size of a recipient, in characters of JSON, and maximum nesting. A larger recipient is skipped as `too_large`. */
const maxRecipientLength = 32_768
const maxDepth = 20

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The target of a recipient on each channel, such as its email address. Undefined if the recipient has none. */
export const targets = {
  email: ({ email }: Recipient): string | undefined => textIn(email) || undefined,
  /** A phone that is a JSON number is converted to its digits. */
  sms: ({ phone }: Recipient): string | undefined =>
    textIn(Number.isSafeInteger(phone) ? String(phone) : phone) || undefined,
  feed: ({ feed_collection, feed_recipient }: Recipient): { collection: string; recipient: string } | undefined => {
    const [collection, recipient] = [textIn(feed_collection), textIn(feed_recipient)]
    return collection && recipient ? { collection, recipient } : undefined
  },
}

/**
 * Normalized targets, by which duplicates are found: `Ann <A@x.kz>` and `a@x.kz` are one target. An invalid target is compared unchanged.
 */
const identities: Record<Channel, (recipient: Recipient) => string | undefined> = {
  email: (recipient) => {
    const target = targets.email(recipient)
    return target && (parseMailbox(target)?.address ?? target).toLowerCase()
  },
  sms: (recipient) => {
    const target = targets.sms(recipient)
    return target && (digitsOf(target) ?? target)
  },
  feed: (recipient) => {
    const target = targets.feed(recipient)
    return target && `${target.collection}/${target.recipient}`
  },
}

/** Whether a recipient is a person, by the target of any channel. */
export function isRecipient(recipient: Recipient, { user, recipient: name, phone, email }: Person): boolean {
  const feed = targets.feed(recipient)?.recipient
  return (
    (email !== undefined && identities.email(recipient) === email) ||
    (phone !== undefined && identities.sms(recipient) === phone) ||
    (feed !== undefined && (feed === user || feed === name))
  )
}

/** The hashes of a person's targets. Those in a feed are not known, since they depend on the collection. */
export const hashesOf = (ledger: string, { phone, email }: Person): { channel: Channel; hash: string }[] => [
  ...(email === undefined ? [] : [{ channel: 'email' as const, hash: hashOf(ledger, 'email', email) }]),
  ...(phone === undefined ? [] : [{ channel: 'sms' as const, hash: hashOf(ledger, 'sms', phone) }]),
]

/**
 * Builds the row of a recipient and one message per channel. Of a target the ledger keeps only the hash, for as long as
 * duplicates must be found.
 */
export function stageRecipient(
  recipient: Recipient,
  place: number,
  channels: Channel[],
  ledger: string,
): StagedRecipient {
  const json = isDeeper(recipient, maxDepth) ? undefined : JSON.stringify(recipient)
  const isTooLarge = json === undefined || json.length > maxRecipientLength
  const messages = channels.map((channel) => {
    const identity = identities[channel](recipient)
    if (identity === undefined) return { channel, hash: null, reason: 'no_target' }
    if (isTooLarge) return { channel, hash: null, reason: 'too_large' }
    return { channel, hash: hashOf(ledger, channel, identity), reason: null }
  })
  return { place, data: isTooLarge ? '' : json, messages }
}

/** Hash of a target, 96 bits. The name of the ledger is its salt, so hashes of different deliveries cannot be compared. */
const hashOf = (ledger: string, channel: Channel, identity: string): string =>
  createHash('sha256').update(`${ledger} ${channel} ${identity}`).digest('base64url').slice(0, 16)
