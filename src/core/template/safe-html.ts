// Keeps HTML templates from escaping a text twice: marks values that are HTML already, and makes LiquidJS's filters return
// such values.
import { CaptureTag, type Context, Drop, type Liquid } from 'liquidjs'
import { escapeHtml } from './html.ts'
import { textOf } from './text-of.ts'

type FilterImplOptions = Liquid['filters'][string]

/**
 * A value of a template that is HTML already, so the output does not escape it again. Conditions and other filters see
 * its text, whose output is escaped like any other.
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

// Hides `constructor`: LiquidJS lets a template read all properties of a Drop.
Object.defineProperty(SafeHtml.prototype, 'constructor', { value: undefined })

/** An entity such as `&amp;`, `&#39;` or `&#x27;`, which `escape_once` does not escape. */
const entity = /&(?:[a-z][a-z0-9]{1,31}|#\d{1,7}|#x[0-9a-f]{1,6});/gi

const escapeOnce = (text: string) => {
  let html = ''
  let from = 0
  for (const { 0: match, index } of text.matchAll(entity)) {
    html += escapeHtml(text.slice(from, index)) + match
    from = index + match.length
  }
  return html + escapeHtml(text.slice(from))
}

/** Makes a filter whose result is HTML. Its input is escaped unless it is `SafeHtml`. */
const htmlFilter = (make: (html: string) => string, toHtml = escapeHtml): FilterImplOptions =>
  function (value: unknown) {
    const text = textOf(value)
    this.context.memoryLimit.use(text.length)
    return new SafeHtml(make(value instanceof SafeHtml ? text : toHtml(text)))
  }

/**
 * Replacements of LiquidJS's escaping filters in HTML templates. The output would escape the plain texts of the
 * originals a second time.
 */
export const htmlFilters: Record<string, FilterImplOptions> = {
  escape: htmlFilter((html) => html),
  xml_escape: htmlFilter((html) => html),
  escape_once: htmlFilter((html) => html, escapeOnce),
  newline_to_br: htmlFilter((html) => html.replace(/\r?\n/g, '<br />\n')),
}

/**
 * The `capture` tag in HTML templates. The captured text was escaped when it was rendered, so it becomes `SafeHtml`.
 */
export class HtmlCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context)
    const scope: Record<string, unknown> = context.bottom()
    scope[this.variable] = new SafeHtml(String(scope[this.variable]))
  }
}
