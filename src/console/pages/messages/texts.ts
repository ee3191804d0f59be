// The content of a message by channel and language, as the editor holds it, with functions that convert and change it.
import { QuartermasterError } from '#client/index'

export const channels = ['email', 'sms', 'feed'] as const
export type MessageChannel = (typeof channels)[number]

export const fields = ['email_subject', 'email_html', 'sms_message', 'feed_title', 'feed_text', 'feed_image'] as const
export type ContentField = (typeof fields)[number]

/** The texts of a channel, as a form has them. */
export const fieldsOf: Record<MessageChannel, { field: ContentField; label: string; rows?: number }[]> = {
  email: [
    { field: 'email_subject', label: 'Subject' },
    { field: 'email_html', label: 'HTML', rows: 8 },
  ],
  sms: [{ field: 'sms_message', label: 'SMS', rows: 3 }],
  feed: [
    { field: 'feed_title', label: 'Title' },
    { field: 'feed_text', label: 'Text', rows: 3 },
    { field: 'feed_image', label: 'URL of an image' },
  ],
}

/** Content of a message by channel and language. An empty locale stands for any language. */
export interface MessageContent {
  has: Record<MessageChannel, boolean>
  locales: string[]
  /** By field and locale. */
  texts: Record<ContentField, Record<string, string>>
  /** Fields with one text for any language, although other fields have several. The text is copied to each of their locales. */
  shared: ContentField[]
}

/** Makes a record with a value for each field. */
export const byField = <T>(of: (field: ContentField) => T): Record<ContentField, T> => ({
  email_subject: of('email_subject'),
  email_html: of('email_html'),
  sms_message: of('sms_message'),
  feed_title: of('feed_title'),
  feed_text: of('feed_text'),
  feed_image: of('feed_image'),
})

type Stored = { [name: string]: unknown } | string | number | null | undefined

/** Converts stored content of the API. If some fields have several languages, a text for any language is copied to each. */
export function contentOf(
  stored: Partial<Record<ContentField | `has_${MessageChannel}`, Stored | boolean>>,
): MessageContent {
  const maps = byField((field) => stored[field] ?? '')
  const named = Object.values(maps).flatMap((map) => (typeof map === 'object' ? Object.keys(map) : []))
  const locales = named.length > 0 ? [...new Set(named)] : ['']
  const textsIn = (map: unknown) => {
    if (typeof map === 'object' && map !== null)
      return Object.fromEntries(Object.entries(map).map(([locale, text]) => [locale, String(text)]))
    return map === '' ? {} : Object.fromEntries(locales.map((locale) => [locale, String(map)]))
  }
  return {
    has: { email: stored.has_email === true, sms: stored.has_sms === true, feed: stored.has_feed === true },
    locales,
    texts: byField((field) => textsIn(maps[field])),
    shared: named.length > 0 ? fields.filter((field) => typeof maps[field] !== 'object') : [],
  }
}

/** Returns the content with one text changed. */
export const withText = (
  content: MessageContent,
  field: ContentField,
  locale: string,
  text: string,
): MessageContent => ({
  ...content,
  texts: { ...content.texts, [field]: { ...content.texts[field], [locale]: text } },
})

/** Returns the content with an added locale. The first locale takes over the texts for any language. */
export function withLocale(content: MessageContent, locale: string): MessageContent {
  if (!content.locales.includes('')) return { ...content, locales: [...content.locales, locale] }
  return { ...content, locales: [locale], texts: byField((field) => renamed(content.texts[field], '', locale)) }
}

/** Returns the content without a locale. The texts of the last remaining locale become those for any language. */
export function withoutLocale(content: MessageContent, locale: string): MessageContent {
  const locales = content.locales.filter((other) => other !== locale)
  if (locales.length === 0)
    return { ...content, locales: [''], texts: byField((field) => renamed(content.texts[field], locale, '')) }
  return {
    ...content,
    locales,
    texts: byField((field) => Object.fromEntries(Object.entries(content.texts[field]).filter(([l]) => l !== locale))),
  }
}

const renamed = (texts: Record<string, string>, from: string, to: string): Record<string, string> => {
  const text = texts[from]
  return text === undefined ? {} : { [to]: text }
}

/** The texts of a field by locale, without those that are empty. */
export const filledOf = ({ texts }: MessageContent, field: ContentField): Record<string, string> =>
  Object.fromEntries(Object.entries(texts[field]).filter(([, text]) => text !== ''))

/** Validation errors of the API by parameter. */
export const errorsOf = (error: unknown): Record<string, string> =>
  error instanceof QuartermasterError ? (error.errors ?? {}) : {}

/** The validation error of a text in a locale, or of the whole field. */
export const wrongWith = (errors: Record<string, string>, field: ContentField, locale: string): string | undefined =>
  errors[`${field}.${locale}`] ?? errors[field]

/** Parses a JSON object from the input: `{}` if it is empty, undefined if it is invalid. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}')
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    return undefined
  }
  return undefined
}
