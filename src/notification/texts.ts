import type { LocaleTexts } from '#core/template/locale'
import { parseTemplate, type TemplateKind } from '#core/template/template'
import { failure } from './errors.ts'
import { fields, type TextFieldName } from './fields.ts'
import { Problems } from './problems.ts'
import { bytesOf } from './size.ts'

/** The texts of a template as they are stored: JSON, null where there is none. */
export type StoredTexts = Record<TextFieldName, string | null>

/** The text of a field, or those of its locales. */
export function textsIn(json: string): LocaleTexts {
  const texts: LocaleTexts | number = JSON.parse(json)
  return typeof texts === 'number' ? String(texts) : texts
}

/** Only an email is HTML, in which values are escaped. */
export const kindOf = (field: TextFieldName): TemplateKind => (field === 'email_html' ? 'html' : 'text')

/** What a text is called where something is wrong with it. */
export const placeOf = (field: TextFieldName, locale: string | null) => (locale === null ? field : `${field}.${locale}`)

const mostBytes = 100_000

/** The names of the values that all texts read, sorted; 400 says where a text does not parse. */
export function variablesOf(stored: { [Name in TextFieldName]?: string | null | undefined }): string[] {
  const names = new Set<string>()
  const problems = new Problems()
  for (const field of fields) {
    for (const [locale, text] of localesIn(stored[field])) {
      try {
        for (const name of parseTemplate(text, kindOf(field)).variables) names.add(name)
      } catch (error) {
        problems.add(placeOf(field, locale), error)
      }
    }
  }
  problems.refuse()
  const variables = [...names].sort()
  if (bytesOf(variables) <= mostBytes) return variables
  throw failure('validation_failed', `The names of the values that the texts read have more than ${mostBytes} bytes`)
}

function localesIn(json: string | null | undefined): [string | null, string][] {
  if (!json) return []
  const texts = textsIn(json)
  return typeof texts === 'string' ? [[null, texts]] : Object.entries(texts)
}
