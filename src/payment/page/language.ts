// Chooses the language of the payer's pages.
import { parseAccept } from 'hono/utils/accept'
import { normal } from '#core/template/locale'
import { en } from './texts/en.ts'
import { kk } from './texts/kk.ts'
import { ru } from './texts/ru.ts'
import type { Texts } from './texts/texts.ts'

/** Languages of the payer's pages. */
export const languages = ['en', 'ru', 'kk'] as const
export type Language = (typeof languages)[number]

/** Texts of the pages by language. */
export const texts: Record<Language, Texts> = { en, ru, kk }

/** The page's language: the parameter `language`, else the browser's first choice (RFC 9110, 12.5.4), else English. */
export function languageOf(acceptLanguage: string | null, url: URL): Language {
  const accepted = parseAccept(acceptLanguage ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type)
  const tags = [url.searchParams.get('language') ?? '', ...accepted]
  return tags.map(languageIn).find((language) => language !== undefined) ?? 'en'
}

/** Compares the primary language only: `kk-KZ` and `kk_Cyrl` are Kazakh. */
const languageIn = (tag: string) => languages.find((language) => language === normal(tag).split('-')[0])
