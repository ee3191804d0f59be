// Parses, caches and renders the texts of a delivery. Slices render them for each recipient.
import { invalidParameters } from '#core/failure'
import { LruCache } from '#core/lru-cache'
import { type TextFieldName, templateKindOf, textFields } from '#core/messages/text-fields'
import { formatLocale, localeFor } from '#core/template/locale'
import { soundText } from '#core/template/sound'
import { parseTemplate, type Template, TemplateError, type TemplateKind } from '#core/template/template'
import { valuesIn } from '#core/template/values'
import type { DeliveryContent } from './definition.ts'

/**
 * Throws 400 that names field, locale, line and column of each text which does not parse, so that a delivery never starts with
 * such a text.
 */
export function checkTemplates(texts: { [Field in TextFieldName]?: string | null | undefined }): void {
  const errors: Record<string, string> = {}
  for (const field of textFields)
    for (const [locale, text] of Object.entries(textsIn(texts[field]))) {
      const error = errorIn(text, templateKindOf(field))
      if (error) errors[`${field}.${locale}`] = error.message
    }
  if (Object.keys(errors).length > 0) throw invalidParameters(errors)
}

const textsIn = (json: string | null | undefined) => (json ? (JSON.parse(json) as Record<string, string>) : {})

function errorIn(text: string, kind: TemplateKind): TemplateError | undefined {
  try {
    parseTemplate(text, kind)
    return undefined
  } catch (error) {
    if (error instanceof TemplateError) return error
    throw error
  }
}

/** Maximum size of the cache in characters of texts, and the size that each delivery counts in addition to its texts. */
const maxCachedCharacters = 4_000_000
const entryOverhead = 1_000

const cache = new LruCache<DeliveryTexts>(maxCachedCharacters)

/** The cached texts of a ledger's delivery. They may be outdated after a change: compare `version` with the ledger's. */
export const cachedTexts = (ledger: string): DeliveryTexts | undefined => cache.get(ledger)

/** Caches the texts of one version of a definition. Each text is parsed when a recipient first needs it. */
export function cacheTexts(ledger: string, version: number, content: DeliveryContent): DeliveryTexts {
  const texts = new DeliveryTexts(version, content)
  cache.set(ledger, texts, entryOverhead + texts.size)
  return texts
}

/** The templates of a delivery, and the values that are the same for all recipients. */
export class DeliveryTexts {
  readonly version: number
  readonly content: DeliveryContent
  /** Number of characters of all texts and the payload, by which the cache is bounded. */
  readonly size: number
  readonly #payload: object
  readonly #texts = new Map<TextFieldName, Record<string, string>>()
  readonly #templates = new Map<string, Template>()

  constructor(version: number, content: DeliveryContent) {
    this.version = version
    this.content = content
    this.#payload = valuesIn(content.payload ?? '{}')
    for (const field of textFields) {
      const texts = textsIn(content[field])
      if (Object.keys(texts).length > 0) this.#texts.set(field, texts)
    }
    this.size = textFields.reduce((sum, field) => sum + (content[field]?.length ?? 0), content.payload?.length ?? 0)
  }

  /**
   * Renders a field for a recipient, in the recipient's locale or the best match. The recipient's fields replace values of the
   * payload. Returns undefined if the field has no texts. Throws a `TemplateError` if rendering takes too many steps.
   */
  async render(
    field: TextFieldName,
    recipient: Record<string, unknown>,
    fallback: string,
  ): Promise<string | undefined> {
    const texts = this.#texts.get(field)
    if (!texts) return undefined
    const locale = (typeof recipient.locale === 'string' && recipient.locale) || fallback
    const match = localeFor(Object.keys(texts), locale, fallback)
    if (match === undefined) return undefined
    const template = this.#parsed(field, texts[match]!)
    return soundText(await template.render({ ...this.#payload, ...recipient }, formatLocale(locale, match)))
  }

  #parsed(field: TextFieldName, text: string): Template {
    const key = `${templateKindOf(field)} ${text}`
    const template = this.#templates.get(key) ?? parseTemplate(text, templateKindOf(field))
    this.#templates.set(key, template)
    return template
  }
}
