import { parseAccept } from 'hono/utils/accept'
import { normal } from '#core/template/locale'
import { en } from './texts/en.ts'
import { kk } from './texts/kk.ts'
import { ru } from './texts/ru.ts'
import type { Texts } from './texts/texts.ts'

/** What the payer's pages are written in. */
export const languages = ['en', 'ru', 'kk'] as const
export type Language = (typeof languages)[number]

/** All that the pages say, by language. */
export const texts: Record<Language, Texts> = { en, ru, kk }

/** The payer's language: what the address says, else the one that the browser likes best (RFC 9110, 12.5.4), else English. */
export function languageOf(acceptLanguage: string | null, url: URL): Language {
  const wanted = parseAccept(acceptLanguage ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type)
  const tags = [url.searchParams.get('language') ?? '', ...wanted]
  return tags.map(languageIn).find((language) => language !== undefined) ?? 'en'
}

/** `kk-KZ` and `kk_Cyrl` are Kazakh. */
const languageIn = (tag: string) => languages.find((language) => language === normal(tag).split('-')[0])
