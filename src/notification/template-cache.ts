// LRU cache of parsed Liquid templates, bounded by their estimated memory.
import type { Db } from '#core/db/open'
import { LruCache } from '#core/lru-cache'
import { parseTemplate, type Template } from '#core/template/template'
import type { TextFieldName } from './fields.ts'
import { kindOf } from './texts.ts'

/** One version of a template. Its texts never change. */
interface Version {
  id: number
  version: number
}

/** Parses the text of a field in a locale; null stands for a text without locales. */
export type Parse = (field: TextFieldName, locale: string | null, text: string) => Template

export const parseUncached: Parse = (field, _, text) => parseTemplate(text, kindOf(field))

/** Memory of parsed templates in an isolate. */
const maxCacheBytes = 12_000_000

const caches = new WeakMap<Db, LruCache<Template>>()

/** Parses the texts of a version with an LRU cache per database. */
export const parseCached =
  (db: Db, { id, version }: Version): Parse =>
  (field, locale, text) => {
    const cache = caches.get(db) ?? new LruCache<Template>(maxCacheBytes)
    caches.set(db, cache)
    const key = `${id}/${version}/${field}/${locale ?? ''}`
    const cached = cache.get(key)
    if (cached) return cached
    const template = parseUncached(field, locale, text)
    cache.set(key, template, memoryOf(text))
    return template
  }

/** Estimated memory of a parsed text in bytes. Text inside tags takes far more than plain text. */
const memoryOf = (text: string) => {
  const plain = text.replaceAll(/\{[{%].*?[%}]\}/gs, '').length
  return 1_000 + 2 * plain + 150 * (text.length - plain)
}
