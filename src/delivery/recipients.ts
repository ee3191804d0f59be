// Converts a recipient from `data_url` to the rows of the ledger: finds the target of each channel, and hashes it to
// detect duplicates.
import { createHash } from 'node:crypto'
import { isDeeper } from '#core/http/json'
import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'
import type { Channel } from './contract.ts'
import type { StagedRecipient } from './ledger/pages.ts'

/** A recipient from `data_url`, with all of its fields. */
export type Recipient = Record<string, unknown>

/** Maximum size of a recipient, as characters of JSON, and maximum nesting. */
const maxRecipientLength = 32_768
const maxDepth = 20

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** The target of a recipient per channel, undefined if there is none. */
export const targets = {
  email: ({ email }: Recipient): string | undefined => textIn(email) || undefined,
  /** A phone that is a number is converted to its digits. */
  sms: ({ phone }: Recipient): string | undefined =>
    textIn(Number.isSafeInteger(phone) ? String(phone) : phone) || undefined,
  feed: ({ feed_collection, feed_recipient }: Recipient): { collection: string; recipient: string } | undefined => {
    const [collection, recipient] = [textIn(feed_collection), textIn(feed_recipient)]
    return collection && recipient ? { collection, recipient } : undefined
  },
}

/** Normalized targets, by which duplicates are found. Invalid targets are compared unchanged. */
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

/** The rows that the ledger stages for a recipient. Of the target, the ledger keeps only a hash. */
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

/** Hash of 96 bits, salted with the ledger, so that hashes of different deliveries cannot be compared. */
const hashOf = (ledger: string, channel: Channel, identity: string): string =>
  createHash('sha256').update(`${ledger} ${channel} ${identity}`).digest('base64url').slice(0, 16)
