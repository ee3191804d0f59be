// Renders a template for a recipient and builds the message of each channel: the request that the email, SMS or feed component
// gets. `dispatch.ts` queues the messages.

import { invalid } from '#core/failure'
import { parseJson } from '#core/http/json'
import type { TextFieldName } from '#core/messages/text-fields'
import { valuesIn } from '#core/template/values'
import type { ChannelOutcome, Notify } from './contract.ts'
import { byChannel, channels, fieldsOf, jsonBytes, type NotificationChannel } from './fields.ts'
import { type Rendered, renderFields } from './rendering.ts'
import type { Parse } from './template-cache.ts'
import type { StoredTexts } from './texts.ts'

/** The body of the request to the component of a channel, such as `POST /sms`. */
export type ChannelMessage = Record<string, unknown>

type Reason = NonNullable<ChannelOutcome['reason']>

/** For each channel the message to send, or the reason why no message is sent. */
export type SendPlan = Record<NotificationChannel, { message: ChannelMessage } | { reason: Reason }>

type Sendable = StoredTexts & Record<`has_${NotificationChannel}`, boolean>

/**
 * Decides for each channel whether it gets a message, and renders the message. Throws 400 if a template exceeds its step limit
 * or its result is too long.
 */
export async function planOf(template: Sendable, call: Notify, fallback: string, parse: Parse): Promise<SendPlan> {
  const reasons = byChannel((channel) => reasonAgainst(template, call, channel))
  const enabledFields = channels
    .filter((channel) => reasons[channel] === undefined)
    .flatMap((channel) => fieldsOf[channel])
  const reader = { locale: call.locale, fallback, values: valuesIn(call.payload), parse }
  const rendered = await renderFields(template, enabledFields, reader)
  return byChannel((channel) => {
    const reason = reasons[channel]
    if (reason) return { reason }
    const message = composers[channel](rendered, call)
    return message ? { message: checkSize(channel, message) } : { reason: 'empty' }
  })
}

function reasonAgainst(template: Sendable, call: Notify, channel: NotificationChannel): Reason | undefined {
  if (!template[`has_${channel}`]) return 'disabled'
  return hasTarget[channel](call) ? undefined : 'no_target'
}

const hasTarget: Record<NotificationChannel, (call: Notify) => boolean> = {
  email: ({ email }) => email !== undefined,
  sms: ({ phone }) => phone !== undefined,
  feed: ({ feed_collection, feed_recipient }) => feed_collection !== undefined && feed_recipient !== undefined,
}

type Texts = Partial<Record<TextFieldName, Rendered>>

/** Builds the message of a channel. Returns undefined if the message would be blank: the channel is skipped then. */
const composers: Record<NotificationChannel, (texts: Texts, call: Notify) => ChannelMessage | undefined> = {
  email: (texts, { email }) => {
    const [subject, html] = [filled(texts.email_subject), filled(texts.email_html)]
    return subject && html ? { to: [email], subject, html } : undefined
  },
  sms: (texts, { phone }) => {
    const message = filled(texts.sms_message)
    return message ? { phones: [phone], message } : undefined
  },
  feed: (texts, { feed_collection: collection, feed_recipient: recipient, feed_payload }) => {
    const [title, text, image] = [filled(texts.feed_title), filled(texts.feed_text), filled(texts.feed_image)?.trim()]
    if (!title && !text && !image && feed_payload === undefined) return undefined
    const content = { ...(title && { title }), ...(text && { text }), ...(image && { image }) }
    return {
      collection,
      recipient,
      ...content,
      ...(feed_payload !== undefined && { payload: parseJson(feed_payload) }),
    }
  },
}

/** The rendered text, or undefined if it is empty or only whitespace. */
const filled = (rendered: Rendered | undefined) => (rendered?.text.trim() ? rendered.text : undefined)

/** The queue accepts tasks of at most 1 MB. The difference is left for the task's URL and headers. */
const maxMessageBytes = 950_000

function checkSize(channel: NotificationChannel, message: ChannelMessage): ChannelMessage {
  if (jsonBytes(message) <= maxMessageBytes) return message
  throw invalid(
    channel === 'feed' ? 'feed_payload' : fieldsOf[channel].at(-1)!,
    `Must make a message of at most ${maxMessageBytes} bytes`,
  )
}
