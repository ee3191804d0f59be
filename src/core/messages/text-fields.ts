// The text fields of the templates of messages, which notifications and deliveries have in common. Their size limits differ.
import type { TemplateKind } from '../template/template.ts'

/** The names of the text fields. Each is a Liquid template, or one per locale. */
export const textFields = [
  'email_subject',
  'email_html',
  'sms_message',
  'feed_title',
  'feed_text',
  'feed_image',
] as const

export type TextFieldName = (typeof textFields)[number]

/** The description of each field for the API: what the rendered text becomes, and how values are inserted into it. */
export const textDescriptions: Record<TextFieldName, string> = {
  email_subject: 'Subject of the email. Line breaks become spaces.',
  email_html: 'HTML of the email. Values of `{{ }}` are escaped; the filter `raw` inserts a value without escaping.',
  sms_message: 'Text of the SMS.',
  feed_title: 'Title of the feed record.',
  feed_text: 'Text of the feed record.',
  feed_image: 'URL of the image of the feed record.',
}

/** The kind of a field's template. Values are escaped in `html` only. */
export const templateKindOf = (field: TextFieldName): TemplateKind => (field === 'email_html' ? 'html' : 'text')
