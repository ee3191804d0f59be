/** The fields of a template that have texts. */
export const fields = ['email_subject', 'email_html', 'sms_message', 'feed_title', 'feed_text', 'feed_image'] as const

export type TextFieldName = (typeof fields)[number]

/** Something of each field. */
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

/** Something of each channel. */
export const byChannel = <T>(partOf: (channel: NotificationChannel) => T): Record<NotificationChannel, T> => ({
  email: partOf('email'),
  sms: partOf('sms'),
  feed: partOf('feed'),
})

/** The fields that a channel has its texts from. */
export const fieldsOf: Record<NotificationChannel, TextFieldName[]> = {
  email: ['email_subject', 'email_html'],
  sms: ['sms_message'],
  feed: ['feed_title', 'feed_text', 'feed_image'],
}

/**
 * How long the text of a field may be: as a template, in UTF-16 units; as all its templates together, in bytes of JSON (a
 * row has 2 MB at most); and as what comes of it, in UTF-16 units, or bytes of an email, which is what the channel takes.
 */
export const limits: Record<TextFieldName, { template: number; bytes: number; rendered: number }> = {
  email_subject: { template: 2_000, bytes: 100_000, rendered: 998 },
  email_html: { template: 500_000, bytes: 800_000, rendered: 900_000 },
  sms_message: { template: 10_000, bytes: 200_000, rendered: 1_600 },
  feed_title: { template: 5_000, bytes: 100_000, rendered: 1_000 },
  feed_text: { template: 200_000, bytes: 400_000, rendered: 100_000 },
  feed_image: { template: 5_000, bytes: 100_000, rendered: 2_000 },
}
