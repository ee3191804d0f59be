// Chooses one of the available languages of a text for a reader (RFC 4647), and normalizes language tags.

/** A text by locale (BCP 47), or one text for all locales. */
export type LocaleTexts = string | Record<string, string>

/**
 * Selects one of the available locales: the requested locale, else the locale with fewer and fewer subtags down to the language
 * (RFC 4647, section 3.4), else the first one of the same language; then the same for `fallback`; else the first of all. Ignores
 * case, and treats `_` as `-`.
 */
export function localeFor(locales: string[], locale: string, fallback = ''): string | undefined {
  return lookUp(locales, locale) ?? lookUp(locales, fallback) ?? locales[0]
}

function lookUp(locales: string[], locale: string): string | undefined {
  const byName = new Map(locales.map((name) => [normal(name), name]))
  const exact = ranges(locale).find((range) => byName.has(range))
  if (exact !== undefined) return byName.get(exact)
  const language = languageOf(locale)
  return language === '' ? undefined : locales.find((name) => languageOf(name) === language)
}

const languageOf = (locale: string) => normal(locale).split('-')[0]!

/**
 * The locale in which to format the dates of a text in the language `chosen`: the reader's locale with its region if it
 * has the same language, else `chosen`.
 */
export const formatLocale = (requested: string, chosen: string | null): string =>
  chosen === null || languageOf(requested) === languageOf(chosen) ? requested : chosen

/** The canonical language tag (BCP 47) of a locale, or `undefined` if it is invalid. */
export function languageTag(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(normal(locale))[0]
  } catch {
    return undefined
  }
}

/** Normalizes a locale for comparison: lower case, `-` instead of `_`. */
export const normal = (locale: string) => locale.trim().toLowerCase().replaceAll('_', '-')

/** The locale and its prefixes: `zh-hant-tw`, `zh-hant`, `zh`. A prefix does not end with a single letter, which introduces an extension. */
function ranges(locale: string): string[] {
  const subtags = normal(locale).split('-')
  const ends = subtags.flatMap((subtag, i) => (subtag.length > 1 ? [i + 1] : []))
  return ends.toReversed().map((end) => subtags.slice(0, end).join('-'))
}
