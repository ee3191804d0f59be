import { formatLocale, type LocaleTexts, localeFor } from '#core/template/locale'
import { soundLine, soundText } from '#core/template/sound'
import { fields, limits, type TextFieldName } from './fields.ts'
import type { Parse } from './parsing.ts'
import { Problems } from './problems.ts'
import { bytesOf } from './size.ts'
import { placeOf, type StoredTexts, textsIn } from './texts.ts'

/** What a text becomes for somebody. */
export interface Rendered {
  text: string
  /** Whose text it is; null where it is the same for all. */
  locale: string | null
  /** The values that it reads. */
  variables: string[]
}

interface Reader {
  locale: string
  /** The locale to fall back on. */
  fallback: string
  values: object
  parse: Parse
}

/** Renders those of the fields that have a text; 400 says which takes too much, or makes more than its channel takes. */
export async function renderFields(stored: StoredTexts, asked: readonly TextFieldName[], reader: Reader) {
  const rendered: Partial<Record<TextFieldName, Rendered>> = {}
  const problems = new Problems()
  for (const field of fields) {
    const json = stored[field]
    if (json === null || !asked.includes(field)) continue
    const { text, locale } = chosen(textsIn(json), reader)
    const place = placeOf(field, locale)
    try {
      const template = reader.parse(field, locale, text)
      const made = soundOf(field)(await template.render(reader.values, formatLocale(reader.locale, locale)))
      const length = lengthOf(field, made)
      if (length > limits[field].rendered)
        problems.say(place, `Makes ${length} ${unitOf(field)}, the most is ${limits[field].rendered}`)
      rendered[field] = { text: made, locale, variables: template.variables }
    } catch (error) {
      problems.add(place, error)
    }
  }
  problems.refuse()
  return rendered
}

/** The text for a locale. A template has one at least. */
function chosen(texts: LocaleTexts, { locale, fallback }: Reader): { text: string; locale: string | null } {
  if (typeof texts === 'string') return { text: texts, locale: null }
  const own = localeFor(Object.keys(texts), locale, fallback)!
  return { text: texts[own]!, locale: own }
}

const soundOf = (field: TextFieldName) => (field === 'email_subject' ? soundLine : soundText)

/** The HTML of an email travels as JSON, of which the queue takes so many bytes. */
const lengthOf = (field: TextFieldName, text: string) => (field === 'email_html' ? bytesOf(text) : text.length)

const unitOf = (field: TextFieldName) => (field === 'email_html' ? 'bytes' : 'characters')
