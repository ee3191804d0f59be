import { CaptureTag, type Context, Drop, type Liquid } from 'liquidjs'
import { escapeHtml } from './html.ts'
import { textOf } from './text-of.ts'

type FilterImplOptions = Liquid['filters'][string]

/**
 * Text in a template that is HTML already, so that the output does not escape it a second time. As a value of conditions,
 * and of filters that do not know it, it is its text, which is then escaped like any other.
 */
export class SafeHtml extends Drop {
  readonly #html: string

  constructor(html: string) {
    super()
    this.#html = html
  }

  get size(): number {
    return this.#html.length
  }

  override valueOf(): string {
    return this.#html
  }
}

// LiquidJS lets a template read all properties of a Drop.
Object.defineProperty(SafeHtml.prototype, 'constructor', { value: undefined })

/** An entity such as `&amp;`, `&#39;` or `&#x27;`, which `escape_once` leaves as it is. */
const entity = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});/gi

const escapeOnce = (text: string) => {
  let html = ''
  let from = 0
  for (const { 0: kept, index } of text.matchAll(entity)) {
    html += escapeHtml(text.slice(from, index)) + kept
    from = index + kept.length
  }
  return html + escapeHtml(text.slice(from))
}

/** A filter whose result is HTML; what it gets is escaped, unless it is HTML already. */
const htmlFilter = (make: (html: string) => string, toHtml = escapeHtml): FilterImplOptions =>
  function (value: unknown) {
    const text = textOf(value)
    this.context.memoryLimit.use(text.length)
    return new SafeHtml(make(value instanceof SafeHtml ? text : toHtml(text)))
  }

/** For templates that make HTML, in place of the library's: these were escaped once more by the output. */
export const htmlFilters: Record<string, FilterImplOptions> = {
  escape: htmlFilter((html) => html),
  xml_escape: htmlFilter((html) => html),
  escape_once: htmlFilter((html) => html, escapeOnce),
  newline_to_br: htmlFilter((html) => html.replace(/\r?\n/g, '<br />\n')),
}

/** `capture` in a template that makes HTML: what was captured is HTML. */
export class HtmlCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context)
    const scope: Record<string, unknown> = context.bottom()
    scope[this.variable] = new SafeHtml(String(scope[this.variable]))
  }
}
