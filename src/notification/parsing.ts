import type { Db } from '#core/db/open'
import { LruCache } from '#core/lru-cache'
import { parseTemplate, type Template } from '#core/template/template'
import type { TextFieldName } from './fields.ts'
import { kindOf } from './texts.ts'

/** One version of a template, which has the same texts for ever. */
interface Version {
  id: number
  version: number
}

/** Parses the text that a field has for a locale, or for all. */
export type Parse = (field: TextFieldName, locale: string | null, text: string) => Template

export const parseAnew: Parse = (field, _, text) => parseTemplate(text, kindOf(field))

/** What is parsed takes some twelve megabytes at the most in an isolate. */
const mostBytes = 12_000_000

const parsed = new WeakMap<Db, LruCache<Template>>()

/** Parses the texts of a version, each once for as long as it is in use. */
export const parseOnce =
  (db: Db, { id, version }: Version): Parse =>
  (field, locale, text) => {
    const recent = parsed.get(db) ?? new LruCache<Template>(mostBytes)
    parsed.set(db, recent)
    const key = `${id}/${version}/${field}/${locale ?? ''}`
    const known = recent.get(key)
    if (known) return known
    const template = parseAnew(field, locale, text)
    recent.set(key, template, weightOf(text))
    return template
  }

/** About how many bytes a parsed text takes: far more for what is inside of tags. */
const weightOf = (text: string) => {
  const plain = text.replaceAll(/\{[{%].*?[%}]\}/gs, '').length
  return 1_000 + 2 * plain + 150 * (text.length - plain)
}
