// Reads the stored texts of a template, and finds the variables (`payload` values) that the texts use.
import { type TextFieldName, templateKindOf, textFields } from '#core/messages/text-fields'
import type { LocaleTexts } from '#core/template/locale'
import { parseTemplate } from '#core/template/template'
import { failure } from './errors.ts'
import { jsonBytes } from './fields.ts'
import { TextErrors } from './text-errors.ts'

/** The stored texts of a template by field: JSON of the string or of the object of locales, or null for no text. */
export type StoredTexts = Record<TextFieldName, string | null>

/**
 * Parses the stored JSON of a field: one text, or texts by locale. An integer, which `sms_message` may be, becomes a string.
 */
export function textsIn(json: string): LocaleTexts {
  const texts: LocaleTexts | number = JSON.parse(json)
  return typeof texts === 'number' ? String(texts) : texts
}

/** The name of a text in errors: `field` or `field.locale`. */
export const placeOf = (field: TextFieldName, locale: string | null) => (locale === null ? field : `${field}.${locale}`)

const maxVariableBytes = 100_000

/** The sorted names of the values that the texts use. Throws 400 that names each text which does not parse. */
export function variablesOf(stored: { [Name in TextFieldName]?: string | null | undefined }): string[] {
  const names = new Set<string>()
  const errors = new TextErrors()
  for (const field of textFields) {
    for (const [locale, text] of localesIn(stored[field])) {
      try {
        for (const name of parseTemplate(text, templateKindOf(field)).variables) names.add(name)
      } catch (error) {
        errors.addError(placeOf(field, locale), error)
      }
    }
  }
  errors.throwIfAny()
  const variables = [...names].sort()
  if (jsonBytes(variables) <= maxVariableBytes) return variables
  throw failure(
    'validation_failed',
    `The names of all values that the texts use must have at most ${maxVariableBytes} bytes as JSON`,
  )
}

function localesIn(json: string | null | undefined): [string | null, string][] {
  if (!json) return []
  const texts = textsIn(json)
  return typeof texts === 'string' ? [[null, texts]] : Object.entries(texts)
}
