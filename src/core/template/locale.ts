/** A text in several languages, by locale (BCP 47), or the same in all of them. */
export type LocaleTexts = string | Record<string, string>

/**
 * Which of the available locales serves a locale, as it is written there: the locale itself, the locale with fewer and fewer
 * subtags down to its language (RFC 4647, section 3.4), the first other one of the language, the same for `fallback`, the
 * first of all. Case is ignored, and `_` counts as `-`.
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
 * The locale in which a text of `chosen` names days and months for a reader of `asked`: the reader's own region, unless the
 * text is in another language.
 */
export const formatLocale = (asked: string, chosen: string | null): string =>
  chosen === null || languageOf(asked) === languageOf(chosen) ? asked : chosen

/** The locale as a valid language tag (BCP 47); undefined if it is not one. */
export function languageTag(locale: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(normal(locale))[0]
  } catch {
    return undefined
  }
}

/** A locale as it is compared. */
export const normal = (locale: string) => locale.trim().toLowerCase().replaceAll('_', '-')

/** `zh-hant-tw`, `zh-hant`, `zh`; a single letter goes together with what it introduces. */
function ranges(locale: string): string[] {
  const subtags = normal(locale).split('-')
  const ends = subtags.flatMap((subtag, i) => (subtag.length > 1 ? [i + 1] : []))
  return ends.toReversed().map((end) => subtags.slice(0, end).join('-'))
}
