// The channels of a template (email, SMS, feed), their text fields, and the maximum sizes of the texts.
import type { TextFieldName } from '#core/messages/text-fields'

/** Builds a record that has a value for each text field. */
export const byField = <T>(partOf: (field: TextFieldName) => T): Record<TextFieldName, T> => ({
  email_subject: partOf('email_subject'),
  email_html: partOf('email_html'),
  sms_message: partOf('sms_message'),
  feed_title: partOf('feed_title'),
  feed_text: partOf('feed_text'),
  feed_image: partOf('feed_image'),
})

export const channels = ['email', 'sms', 'feed'] as const

export type NotificationChannel = (typeof channels)[number]

/** Builds a record that has a value for each channel. */
export const byChannel = <T>(partOf: (channel: NotificationChannel) => T): Record<NotificationChannel, T> => ({
  email: partOf('email'),
  sms: partOf('sms'),
  feed: partOf('feed'),
})

/** The text fields of each channel. */
export const fieldsOf: Record<NotificationChannel, TextFieldName[]> = {
  email: ['email_subject', 'email_html'],
  sms: ['sms_message'],
  feed: ['feed_title', 'feed_text', 'feed_image'],
}

/**
 * Maximum sizes of a text. `template`: the text of one locale, in UTF-16 units. `bytes`: the texts of all locales together, in
 * bytes of JSON, so that the template fits into a row of 2 MB. `rendered`: the result, which its channel limits, in UTF-16
 * units, for `email_html` in bytes.
 */
export const limits: Record<TextFieldName, { template: number; bytes: number; rendered: number }> = {
  email_subject: { template: 2_000, bytes: 100_000, rendered: 998 },
  email_html: { template: 500_000, bytes: 800_000, rendered: 900_000 },
  sms_message: { template: 10_000, bytes: 200_000, rendered: 1_600 },
  feed_title: { template: 5_000, bytes: 100_000, rendered: 1_000 },
  feed_text: { template: 200_000, bytes: 400_000, rendered: 100_000 },
  feed_image: { template: 5_000, bytes: 100_000, rendered: 2_000 },
}

/** The size of a value as JSON, in bytes. */
export const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length
