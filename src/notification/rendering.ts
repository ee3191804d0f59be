// Renders the texts of a template in one locale and checks the lengths of the results, both for sending and for the preview.
import { type TextFieldName, textFields } from '#core/messages/text-fields'
import { formatLocale, type LocaleTexts, localeFor } from '#core/template/locale'
import { soundLine, soundText } from '#core/template/sound'
import { jsonBytes, limits } from './fields.ts'
import type { Parse } from './template-cache.ts'
import { TextErrors } from './text-errors.ts'
import { placeOf, type StoredTexts, textsIn } from './texts.ts'

/** The result of rendering one text in one locale. */
export interface Rendered {
  text: string
  /** The locale of the text that was chosen. Null for a text without locales. */
  locale: string | null
  /** Names of the values that the text uses. */
  variables: string[]
}

interface RenderContext {
  locale: string
  /** Locale to use for a text that does not have `locale`. */
  fallback: string
  values: object
  parse: Parse
}

/**
 * Renders those of the requested fields that have a text. Throws 400 that names each field which exceeds the step limit or is
 * too long.
 */
export async function renderFields(stored: StoredTexts, requested: readonly TextFieldName[], context: RenderContext) {
  const rendered: Partial<Record<TextFieldName, Rendered>> = {}
  const errors = new TextErrors()
  for (const field of textFields) {
    const json = stored[field]
    if (json === null || !requested.includes(field)) continue
    const { text, locale } = textFor(textsIn(json), context)
    const place = placeOf(field, locale)
    try {
      const template = context.parse(field, locale, text)
      const output = cleanerOf(field)(await template.render(context.values, formatLocale(context.locale, locale)))
      const length = lengthOf(field, output)
      if (length > limits[field].rendered)
        errors.add(place, `Must render to at most ${limits[field].rendered} ${unitOf(field)}, got ${length}`)
      rendered[field] = { text: output, locale, variables: template.variables }
    } catch (error) {
      errors.addError(place, error)
    }
  }
  errors.throwIfAny()
  return rendered
}

/** The text of the best matching locale. A stored object of locales is never empty, so one always matches. */
function textFor(texts: LocaleTexts, { locale, fallback }: RenderContext): { text: string; locale: string | null } {
  if (typeof texts === 'string') return { text: texts, locale: null }
  const match = localeFor(Object.keys(texts), locale, fallback)!
  return { text: texts[match]!, locale: match }
}

const cleanerOf = (field: TextFieldName) => (field === 'email_subject' ? soundLine : soundText)

/** HTML is counted in bytes of JSON, because the queue limits the size of the task that carries the HTML. */
const lengthOf = (field: TextFieldName, text: string) => (field === 'email_html' ? jsonBytes(text) : text.length)

const unitOf = (field: TextFieldName) => (field === 'email_html' ? 'bytes' : 'characters')
