import { createHash } from 'node:crypto'
import { isDeeper } from '#core/http/json'
import { parseMailbox } from '#core/messages/mailbox'
import { digitsOf } from '#core/messages/phone'
import type { Channel } from './contract.ts'
import type { Staged } from './ledger/pages.ts'

/** Somebody whom a `data_url` names, with whatever else it says of them. */
export type Recipient = Record<string, unknown>

/** How large one may be, as JSON, and how deep. */
const largest = 32_768
const deepest = 20

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Where a channel reaches a recipient; nothing where it cannot. */
export const targets = {
  email: ({ email }: Recipient): string | undefined => textIn(email) || undefined,
  /** A number is taken for its digits. */
  sms: ({ phone }: Recipient): string | undefined =>
    textIn(Number.isSafeInteger(phone) ? String(phone) : phone) || undefined,
  feed: ({ feed_collection, feed_recipient }: Recipient): { collection: string; recipient: string } | undefined => {
    const [collection, recipient] = [textIn(feed_collection), textIn(feed_recipient)]
    return collection && recipient ? { collection, recipient } : undefined
  },
}

/** What two recipients of a channel have in common where they are the same; what the channel will not take is the same as nothing else. */
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

/** A recipient as the ledger takes it: what is to be sent to whom, of whom only a hash is kept for good. */
export function stagedOf(recipient: Recipient, place: number, channels: Channel[], ledger: string): Staged {
  const data = isDeeper(recipient, deepest) ? undefined : JSON.stringify(recipient)
  const isTooLarge = data === undefined || data.length > largest
  const messages = channels.map((channel) => {
    const identity = identities[channel](recipient)
    if (identity === undefined) return { channel, hash: null, reason: 'no_target' }
    if (isTooLarge) return { channel, hash: null, reason: 'too_large' }
    return { channel, hash: hashOf(ledger, channel, identity), reason: null }
  })
  return { place, data: isTooLarge ? '' : data, messages }
}

/** 96 bits; that of the same target is another one in each delivery. */
const hashOf = (ledger: string, channel: Channel, identity: string): string =>
  createHash('sha256').update(`${ledger} ${channel} ${identity}`).digest('base64url').slice(0, 16)
