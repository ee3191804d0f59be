import { text } from '#core/http/fields'
import { normal } from '#core/template/locale'
import { bytesOf } from './size.ts'

interface Objection {
  /** The locale, where it is about one. */
  path: string[]
  message: string
}

interface Bounds {
  /** UTF-16 units of one text. */
  template: number
  /** Of all as JSON. */
  bytes: number
}

/** What is wrong with a field's text, or with those of its locales. */
export function objectionsTo(
  given: string | number | Record<string, unknown>,
  { template, bytes }: Bounds,
): Objection[] {
  if (typeof given === 'number') return []
  const Text = text(template)
  const about = (path: string[], value: unknown): Objection[] => {
    const checked = Text.safeParse(value)
    return checked.success ? [] : [{ path, message: checked.error.issues[0]!.message }]
  }
  if (typeof given === 'string') return about([], given)
  const entries = Object.entries(given)
  if (entries.length === 0) return [{ path: [], message: 'Needs one locale at least' }]
  const objections = [
    ...objectionsToLocales(entries.map(([locale]) => locale)),
    ...entries.flatMap(([locale, value]) => about([locale], value)),
  ]
  if (objections.length > 0) return objections
  return bytesOf(given) > bytes ? [{ path: [], message: `Must be at most ${bytes} bytes of JSON` }] : []
}

/** The shape of a language tag (RFC 5646, section 2.1); `_` counts as `-`. */
const tag = /^[a-z]{1,8}([-_][a-z0-9]{1,8})*$/i
const longest = 35

function objectionsToLocales(locales: string[]): Objection[] {
  const known = new Map<string, string>()
  return locales.flatMap((locale) => {
    const path = [locale]
    if (!tag.test(locale) || locale.length > longest) return [{ path, message: 'Is no locale, such as en or kk-KZ' }]
    const same = known.get(normal(locale))
    known.set(normal(locale), locale)
    return same === undefined ? [] : [{ path, message: `Is the same locale as ${same}` }]
  })
}
