// Handles `POST /notification/preview`: renders a template with sample values, so that its author sees the messages. Nothing is
// sent or stored.

import { open } from '#core/db/open'
import { invalid } from '#core/failure'
import { countSegments, isGsm } from '#core/messages/segments'
import { type TextFieldName, textFields } from '#core/messages/text-fields'
import { valuesIn } from '#core/template/values'
import type { Env } from './bindings.ts'
import type { NotificationPreview, PreviewParams } from './contract.ts'
import { byField } from './fields.ts'
import { findNotification } from './notifications.ts'
import { type Rendered, renderFields } from './rendering.ts'
import { schema } from './schema.ts'
import { type Parse, parseCached, parseUncached } from './template-cache.ts'
import { type StoredTexts, variablesOf } from './texts.ts'

/**
 * Renders the texts of a stored template, of the call, or of both. A text in the call replaces the stored text of the same
 * field, so an editor can preview unsaved changes.
 */
export async function previewNotification(env: Env, call: PreviewParams): Promise<NotificationPreview> {
  const { texts, parse } = await textsOf(env, call)
  const reader = {
    locale: call.locale,
    fallback: env.NOTIFY_DEFAULT_LOCALE ?? '',
    values: valuesIn(call.payload),
    parse,
  }
  const rendered = await renderFields(texts, textFields, reader)
  const names = Object.values(rendered).flatMap(({ variables }) => variables)
  return {
    ...previewOf(rendered),
    locales: byField((field) => rendered[field]?.locale ?? null),
    variables: [...new Set(names)].sort(),
  }
}

async function textsOf(env: Env, call: PreviewParams): Promise<{ texts: StoredTexts; parse: Parse }> {
  const { id, code } = call
  variablesOf(call)
  const isInCall = (field: TextFieldName) => call[field] !== undefined
  if (id === undefined && code === undefined) {
    if (!textFields.some(isInCall)) throw invalid('id', 'Is required if there is no code and no text')
    return { texts: byField((field) => call[field] ?? null), parse: parseUncached }
  }
  const store = open(env, schema)
  const template = await findNotification(store, { id, code })
  const parse = parseCached(store.db, template)
  return {
    texts: byField((field) => (call[field] === undefined ? template[field] : call[field])),
    parse: (field, ...text) => (isInCall(field) ? parseUncached : parse)(field, ...text),
  }
}

function previewOf(
  rendered: Partial<Record<TextFieldName, Rendered>>,
): Pick<NotificationPreview, 'email' | 'sms' | 'feed'> {
  const [subject, html, message, title, text, image] = textFields.map((field) => rendered[field]?.text ?? null)
  return {
    email: subject === null && html === null ? null : { subject: subject!, html: html! },
    sms: message === null ? null : segmentsOf(message!),
    feed: title === null && text === null && image === null ? null : { title: title!, text: text!, image: image! },
  }
}

const segmentsOf = (message: string) => ({
  message,
  encoding: isGsm(message) ? ('gsm7' as const) : ('ucs2' as const),
  segments: countSegments(message),
})
