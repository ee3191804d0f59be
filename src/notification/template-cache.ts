// LRU cache of parsed Liquid templates, bounded by estimated memory, so that repeated notifications do not parse their texts
// again.

import type { Db } from '#core/db/open'
import { LruCache } from '#core/lru-cache'
import { type TextFieldName, templateKindOf } from '#core/messages/text-fields'
import { parseTemplate, type Template } from '#core/template/template'

/** One version of a template. A change creates a new version, so the texts of a version never change and can be cached. */
interface Version {
  id: number
  version: number
}

/** Parses the text of a field in a locale; null stands for a text without locales. */
export type Parse = (field: TextFieldName, locale: string | null, text: string) => Template

/** Parses a text without the cache: for texts of a call, which have no version. */
export const parseUncached: Parse = (field, _, text) => parseTemplate(text, templateKindOf(field))

/** Memory for the parsed templates of one isolate, of the 128 MB that it has. */
const maxCacheBytes = 12_000_000

const caches = new WeakMap<Db, LruCache<Template>>()

/**
 * Returns a function that parses the texts of one template version. The LRU cache belongs to the database, since ids of
 * different databases may be equal.
 */
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

/**
 * Estimated memory of a parsed text, in bytes. Text inside tags becomes many objects and takes far more memory than plain text.
 */
const memoryOf = (text: string) => {
  const plain = text.replaceAll(/\{[{%].*?[%}]\}/gs, '').length
  return 1_000 + 2 * plain + 150 * (text.length - plain)
}
