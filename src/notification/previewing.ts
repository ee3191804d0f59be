import { open } from '#core/db/open'
import { invalid } from '#core/failure'
import { countSegments, isGsm } from '#core/messages/segments'
import { valuesIn } from '#core/template/values'
import type { Env } from './bindings.ts'
import type { NotificationPreview, Previewed } from './contract.ts'
import { byField, fields, type TextFieldName } from './fields.ts'
import { findNotification } from './notifications.ts'
import { type Parse, parseAnew, parseOnce } from './parsing.ts'
import { type Rendered, renderFields } from './rendering.ts'
import { schema } from './schema.ts'
import { type StoredTexts, variablesOf } from './texts.ts'

/** What texts become for somebody: those of a template, those of the call, or of both, where the call's win. */
export async function previewNotification(env: Env, call: Previewed): Promise<NotificationPreview> {
  const { texts, parse } = await textsOf(env, call)
  const reader = {
    locale: call.locale,
    fallback: env.NOTIFY_DEFAULT_LOCALE ?? '',
    values: valuesIn(call.payload),
    parse,
  }
  const rendered = await renderFields(texts, fields, reader)
  const names = Object.values(rendered).flatMap(({ variables }) => variables)
  return {
    ...shownOf(rendered),
    locales: byField((field) => rendered[field]?.locale ?? null),
    variables: [...new Set(names)].sort(),
  }
}

async function textsOf(env: Env, call: Previewed): Promise<{ texts: StoredTexts; parse: Parse }> {
  const { id, code } = call
  variablesOf(call)
  const isGiven = (field: TextFieldName) => call[field] !== undefined
  if (id === undefined && code === undefined) {
    if (!fields.some(isGiven)) throw invalid('id', 'Is required without code and without texts')
    return { texts: byField((field) => call[field] ?? null), parse: parseAnew }
  }
  const store = open(env, schema)
  const template = await findNotification(store, { id, code })
  const once = parseOnce(store.db, template)
  return {
    texts: byField((field) => (call[field] === undefined ? template[field] : call[field])),
    parse: (field, ...text) => (isGiven(field) ? parseAnew : once)(field, ...text),
  }
}

function shownOf(
  rendered: Partial<Record<TextFieldName, Rendered>>,
): Pick<NotificationPreview, 'email' | 'sms' | 'feed'> {
  const [subject, html, message, title, text, image] = fields.map((field) => rendered[field]?.text ?? null)
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
