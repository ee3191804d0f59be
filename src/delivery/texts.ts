import { invalidParameters } from '#core/failure'
import { LruCache } from '#core/lru-cache'
import { formatLocale, localeFor } from '#core/template/locale'
import { soundText } from '#core/template/sound'
import { parseTemplate, type Template, TemplateError, type TemplateKind } from '#core/template/template'
import { valuesIn } from '#core/template/values'
import { type DeliveryTextField, textFields } from './contract.ts'
import type { DeliveryContent } from './definition.ts'

const kinds: Record<DeliveryTextField, TemplateKind> = {
  email_subject: 'text',
  email_html: 'html',
  sms_message: 'text',
  feed_title: 'text',
  feed_text: 'text',
  feed_image: 'text',
}

/** Refuses texts that do not parse: 400, each by its field and locale, with line and column. */
export function checkTexts(given: { [Field in DeliveryTextField]?: string | null | undefined }): void {
  const errors: Record<string, string> = {}
  for (const field of textFields)
    for (const [locale, text] of Object.entries(textsIn(given[field]))) {
      const error = errorIn(text, kinds[field])
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

/** About so many characters of texts are kept parsed, and so many more each takes. */
const mostKept = 4_000_000
const overhead = 1_000

const kept = new LruCache<DeliveryTexts>(mostKept)

/** The texts of a ledger's delivery that were used last here; they may have changed since. */
export const knownTexts = (ledger: string): DeliveryTexts | undefined => kept.get(ledger)

/** The texts of a version of a definition, parsed when they are first used. */
export function keepTexts(ledger: string, version: number, content: DeliveryContent): DeliveryTexts {
  const texts = new DeliveryTexts(version, content)
  kept.set(ledger, texts, overhead + texts.size)
  return texts
}

/** The texts of a delivery, and what they are rendered with. */
export class DeliveryTexts {
  readonly version: number
  readonly content: DeliveryContent
  /** Characters of all of them. */
  readonly size: number
  readonly #payload: object
  readonly #texts = new Map<DeliveryTextField, Record<string, string>>()
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
   * A field for a recipient: in its locale or what that falls back on, with the payload of the delivery and over it the
   * recipient's own fields, and as the channels take it. Nothing where the field has no texts; throws a `TemplateError` where it takes too much.
   */
  async render(
    field: DeliveryTextField,
    recipient: Record<string, unknown>,
    fallback: string,
  ): Promise<string | undefined> {
    const texts = this.#texts.get(field)
    if (!texts) return undefined
    const asked = (typeof recipient.locale === 'string' && recipient.locale) || fallback
    const chosen = localeFor(Object.keys(texts), asked, fallback)
    if (chosen === undefined) return undefined
    const template = this.#parsed(field, texts[chosen]!)
    return soundText(await template.render({ ...this.#payload, ...recipient }, formatLocale(asked, chosen)))
  }

  #parsed(field: DeliveryTextField, text: string): Template {
    const key = `${kinds[field]} ${text}`
    const template = this.#templates.get(key) ?? parseTemplate(text, kinds[field])
    this.#templates.set(key, template)
    return template
  }
}
