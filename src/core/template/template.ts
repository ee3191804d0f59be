import { AssertionError, Context, filters, Liquid, type Template as Node, toValueSync } from 'liquidjs'
import { type FilterHandler, localizedDate, localizedString } from './date-filter.ts'
import { languageTag } from './locale.ts'
import { quickenPositions } from './position.ts'
import { counted, type RenderLimits, renderBudget, Sink, writer } from './render-budget.ts'
import { HtmlCaptureTag, htmlFilters } from './safe-html.ts'

/** What a template makes: HTML, in which values are escaped, or plain text, in which they stand as they are. */
export type TemplateKind = 'html' | 'text'

/** A text with Liquid in it (https://shopify.github.io/liquid/), ready to be rendered. */
export interface Template {
  /** The names of the values that it reads from outside, in order. */
  variables: string[]
  /**
   * Renders the template with values, and with the names of days and months in a locale (BCP 47), by default English. A
   * missing value is empty. Throws a `TemplateError` if it takes too many steps or characters.
   */
  render(values: object, locale?: string): Promise<string>
}

/** What is wrong with a template, and where: line and column count from 1. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly line: number
  readonly column: number

  constructor(message: string, line: number, column: number) {
    super(`${message} (line ${line}, column ${column})`)
    this.line = line
    this.column = column
  }
}

const limits: RenderLimits = { characters: 1_000_000, steps: 100_000 }

const options = {
  parseLimit: limits.characters,
  memoryLimit: 10_000_000,
  ownPropertyOnly: true,
  strictFilters: true,
  timezoneOffset: 0,
  locale: 'en',
}

const engines: Record<TemplateKind, Liquid> = {
  html: new Liquid({ ...options, outputEscape: writer('html') }),
  text: new Liquid({ ...options, outputEscape: writer('text') }),
}

/** The library declares its filters as options, of which a handler is one form: these are handlers. */
const { date, date_to_string, date_to_long_string } = filters as Record<string, FilterHandler>
const dateInLocale = localizedDate(date!)
const dateFilters = {
  date: dateInLocale,
  date_to_string: localizedString(date_to_string!, dateInLocale, '%d %b %Y'),
  date_to_long_string: localizedString(date_to_long_string!, dateInLocale, '%d %B %Y'),
}

quickenPositions()
for (const engine of Object.values(engines)) {
  // There are no other files to include.
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
  for (const [name, filter] of Object.entries(engine.filters)) engine.registerFilter(name, counted(filter))
  for (const [name, filter] of Object.entries(dateFilters)) engine.registerFilter(name, counted(filter))
}
for (const [name, filter] of Object.entries(htmlFilters)) engines.html.registerFilter(name, filter)
engines.html.registerTag('capture', HtmlCaptureTag)

/** Parses a template; a `TemplateError` says where it does not parse. */
export function parseTemplate(text: string, kind: TemplateKind): Template {
  const engine = engines[kind]
  checkTags(text)
  const nodes = located(() => engine.parse(text))
  return {
    variables: located(() => engine.globalVariablesSync(nodes)).filter((name) => !numeral.test(name)),
    render: async (values, locale) => locatedLater(renderNodes(engine, nodes, values, locale)),
  }
}

/** A number that LiquidJS does not read as one, such as `1e400`. */
const numeral = /^[+-]?\d[\d.]*(e[+-]?\d+)?$/i

const mostTags = 20_000

/** Refuses what would keep the library busy for minutes: the time that it takes grows with the square of these. */
function checkTags(text: string): void {
  const lines = /\{%-?\s*liquid\b/.test(text) ? text.split('\n').length : 0
  const tags = text.split(/\{[{%]/).length - 1
  if (tags + lines > mostTags) throw new TemplateError(`The template has more than ${mostTags} tags`, 1, 1)
}

async function renderNodes(engine: Liquid, nodes: Node[], values: object, locale = ''): Promise<string> {
  const sink = new Sink(limits.characters)
  // A copy: `increment` writes there.
  const settings = { ...engine.options, locale: languageTag(locale) ?? options.locale }
  const context = new Context({ ...values }, settings, {}, { renderLimit: renderBudget(limits.steps), liquid: engine })
  toValueSync(engine.renderer.renderTemplates(nodes, context, sink))
  return sink.buffer
}

function located<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw errorAt(error)
  }
}

const locatedLater = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw errorAt(error)
  })

/** What LiquidJS adds to a message, which is said otherwise here. */
const place = /(, file:.*)?, line:\d+, col:\d+$/s

function errorAt(error: unknown): unknown {
  if (isOverflow(error)) return new TemplateError('The template is nested too deep', 1, 1)
  if (error instanceof AssertionError) return new TemplateError(error.message, 1, 1)
  if (!(error instanceof Error) || !('token' in error)) return error
  const { getPosition } = error.token as { getPosition?(): [number, number] }
  const [line, column] = getPosition?.call(error.token) ?? [1, 1]
  return new TemplateError(error.message.replace(place, ''), line, column)
}

/** What is thrown where the stack ends; on its way the library may have made an error of its own of it. */
const isOverflow = (error: unknown) =>
  error instanceof RangeError || (error instanceof Error && /^Maximum call stack size exceeded/.test(error.message))
