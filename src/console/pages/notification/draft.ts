// Converts a notification template between the API and its draft in the editor.
import type { Params, Reply } from '#client/index'
import { byField, type ContentField, contentOf, fields, filledOf, type MessageContent } from '../messages/texts.ts'

export type TemplateDraft = Reply<'notification', 'get', '/notification'>['notification']

/** A template in the editor. */
export interface Draft {
  name: string
  code: string
  description: string
  content: MessageContent
}

/** The draft of a saved template, or of a new one. */
export function draftOf(saved: TemplateDraft | undefined): Draft {
  if (!saved) {
    const content = contentOf({
      ...{ has_email: true, has_sms: true },
      email_subject: { en: 'Hello, {{ name }}' },
      email_html: { en: '<p>Hello, {{ name }}</p>' },
      sms_message: { en: 'Hello, {{ name }}' },
    })
    return { name: '', code: '', description: '', content }
  }
  const { name, code, description } = saved
  // The API declares texts as any JSON. They are strings, objects of strings, or integers.
  return { name, code, description: description ?? '', content: contentOf(saved as Parameters<typeof contentOf>[0]) }
}

type Texts = Pick<Params<'notification', 'post', '/notification/preview'>, ContentField>

/** The texts of a draft in the format of the API: a string for all languages, or one per language; empty if there is none. */
export const textsOf = (content: MessageContent): Required<Texts> =>
  byField((field) => {
    const texts = filledOf(content, field)
    const [one, ...others] = new Set(Object.values(texts))
    if (one !== undefined && others.length === 0 && content.shared.includes(field)) return one
    return texts[''] ?? (Object.keys(texts).length > 0 ? texts : '')
  })

/** The parameters that save a draft. For an existing template only the changed texts. */
export function savedAs(draft: Draft, before: Draft | undefined) {
  const { name, code, description, content } = draft
  const { email: has_email, sms: has_sms, feed: has_feed } = content.has
  const texts = textsOf(content)
  const former = before && textsOf(before.content)
  const changed = fields.filter((field) => JSON.stringify(texts[field]) !== JSON.stringify(former?.[field] ?? ''))
  return {
    ...{ name: name.trim(), code: code.trim(), description: description.trim() },
    ...{ has_email, has_sms, has_feed },
    ...Object.fromEntries(changed.map((field) => [field, texts[field]])),
  }
}
