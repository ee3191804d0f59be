/** A text in several languages, by locale (BCP 47), or the same in all of them. */
export type Texts = string | Record<string, string>

/**
 * The text for a locale: its own, else that of the locale with fewer and fewer subtags (RFC 4647, section 3.4), else that
 * of the locale to fall back on, else the first one. Locales are compared without regard to case, `_` counts as `-`.
 */
export function textFor(texts: Texts, locale: string, fallback = ''): string | undefined {
  if (typeof texts === 'string') return texts
  const found = localeFor(Object.keys(texts), locale, fallback)
  return found === undefined ? undefined : texts[found]
}

/** Which of the locales `textFor` would take the text of, as it is written there. */
export function localeFor(locales: string[], locale: string, fallback = ''): string | undefined {
  const byRange = new Map(locales.map((name) => [normal(name), name]))
  const wanted = [...ranges(locale), ...ranges(fallback)].find((range) => byRange.has(range))
  return wanted === undefined ? locales[0] : byRange.get(wanted)
}

/** A locale as it is compared. */
export const normal = (locale: string) => locale.trim().toLowerCase().replaceAll('_', '-')

/** `zh-hant-tw`, `zh-hant`, `zh`; a single letter goes together with what it introduces. */
function ranges(locale: string): string[] {
  const subtags = normal(locale).split('-')
  const ends = subtags.flatMap((subtag, i) => (subtag.length > 1 ? [i + 1] : []))
  return ends.toReversed().map((end) => subtags.slice(0, end).join('-'))
}
