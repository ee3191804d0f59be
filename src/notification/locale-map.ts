// Validates a text field of a template: one string, or an object with a string per locale, within the size limits.
import { text } from '#core/http/fields'
import { normal } from '#core/template/locale'
import { jsonBytes } from './fields.ts'

interface TextError {
  /** `[locale]`, or empty if the error concerns the whole field. */
  path: string[]
  message: string
}

interface TextLimits {
  /** Maximum size of one text, in UTF-16 units. */
  template: number
  /** Maximum size of all texts of the field together, in bytes of JSON. */
  bytes: number
}

/** Returns the errors of a field's value. Empty if the value is valid. */
export function textErrors(
  value: string | number | Record<string, unknown>,
  { template, bytes }: TextLimits,
): TextError[] {
  if (typeof value === 'number') return []
  const Text = text(template)
  const errorsOf = (path: string[], text: unknown): TextError[] => {
    const checked = Text.safeParse(text)
    return checked.success ? [] : [{ path, message: checked.error.issues[0]!.message }]
  }
  if (typeof value === 'string') return errorsOf([], value)
  const entries = Object.entries(value)
  if (entries.length === 0) return [{ path: [], message: 'Must have at least one locale' }]
  const errors = [
    ...localeErrors(entries.map(([locale]) => locale)),
    ...entries.flatMap(([locale, text]) => errorsOf([locale], text)),
  ]
  if (errors.length > 0) return errors
  return jsonBytes(value) > bytes ? [{ path: [], message: `Must be at most ${bytes} bytes of JSON` }] : []
}

/** The shape of a language tag, such as `kk-KZ` (RFC 5646, section 2.1). `_` is allowed in place of `-`, as in `kk_KZ`. */
const tag = /^[a-z]{1,8}([-_][a-z0-9]{1,8})*$/i
const maxLocaleLength = 35

function localeErrors(locales: string[]): TextError[] {
  const seen = new Map<string, string>()
  return locales.flatMap((locale) => {
    const path = [locale]
    if (!tag.test(locale) || locale.length > maxLocaleLength)
      return [{ path, message: 'Must be a locale such as en or kk-KZ' }]
    const same = seen.get(normal(locale))
    seen.set(normal(locale), locale)
    return same === undefined ? [] : [{ path, message: `Is the same locale as ${same}` }]
  })
}
