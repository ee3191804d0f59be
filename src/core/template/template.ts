import { AssertionError, Context, filters, Liquid, type Template as Node, toValueSync } from 'liquidjs'
import { type FilterHandler, localizedDate, localizedString } from './date-filter.ts'
import { languageTag } from './locale.ts'
import { patchTokenPositions } from './position.ts'
import { counted, OutputBuffer, type RenderLimits, renderBudget, writer } from './render-budget.ts'
import { HtmlCaptureTag, htmlFilters } from './safe-html.ts'

// Liquid templates (https://shopify.github.io/liquid/), rendered with LiquidJS under limits.

/** The output of a template: HTML, in which values are escaped, or plain text. */
export type TemplateKind = 'html' | 'text'

/** A parsed template. */
export interface Template {
  /** The names of the values that the template reads, in order. */
  variables: string[]
  /**
   * Renders the template. Names of days and months are in the locale (BCP 47), by default English. A missing value is empty.
   * Throws a `TemplateError` if rendering takes too many steps or the output is too long. Several templates may share
   * a budget of steps.
   */
  render(values: object, locale?: string, budget?: RenderBudget): Promise<string>
}

/** An error in a template, with its line and column, both from 1. */
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

/** Makes the budget of steps of one rendering, or of several that share it. */
export const newRenderBudget = () => renderBudget(limits.steps)
type RenderBudget = ReturnType<typeof newRenderBudget>

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

/**
 * LiquidJS types its filters as handlers, or options with a handler. The cast is safe, since these three are handlers.
 */
const { date, date_to_string, date_to_long_string } = filters as Record<string, FilterHandler>
const dateInLocale = localizedDate(date!)
const dateFilters = {
  date: dateInLocale,
  date_to_string: localizedString(date_to_string!, dateInLocale, '%d %b %Y'),
  date_to_long_string: localizedString(date_to_long_string!, dateInLocale, '%d %B %Y'),
}

patchTokenPositions()
for (const engine of Object.values(engines)) {
  // Removes the tags that include other templates: a template is one text, and there are no files to include.
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
  for (const [name, filter] of Object.entries(engine.filters)) engine.registerFilter(name, counted(filter))
  for (const [name, filter] of Object.entries(dateFilters)) engine.registerFilter(name, counted(filter))
}
for (const [name, filter] of Object.entries(htmlFilters)) engines.html.registerFilter(name, filter)
engines.html.registerTag('capture', HtmlCaptureTag)

/** Parses a template. Throws a `TemplateError` with the position of the first error. */
export function parseTemplate(text: string, kind: TemplateKind): Template {
  const engine = engines[kind]
  checkTags(text)
  const nodes = withPosition(() => engine.parse(text))
  return {
    variables: withPosition(() => engine.globalVariablesSync(nodes)).filter((name) => !numeral.test(name)),
    render: async (values, locale, budget = newRenderBudget()) =>
      withPositionLater(renderNodes(engine, nodes, { values, locale, budget })),
  }
}

/** Matches a number that LiquidJS takes for the name of a variable, such as `1e400`. */
const numeral = /^[+-]?\d[\d.]*(e[+-]?\d+)?$/i

const maxTags = 20_000

/** Refuses templates with too many tags: the parser's time grows with the square of their number. */
function checkTags(text: string): void {
  const lines = /\{%-?\s*liquid\b/.test(text) ? text.split('\n').length : 0
  const tags = text.split(/\{[{%]/).length - 1
  if (tags + lines > maxTags) throw new TemplateError(`The template has more than ${maxTags} tags.`, 1, 1)
}

interface Rendering {
  values: object
  locale: string | undefined
  budget: RenderBudget
}

async function renderNodes(engine: Liquid, nodes: Node[], { values, locale = '', budget }: Rendering): Promise<string> {
  const output = new OutputBuffer(limits.characters)
  // The values are copied with `{ ...values }`, since the `increment` tag changes them.
  const settings = { ...engine.options, locale: languageTag(locale) ?? options.locale }
  const context = new Context({ ...values }, settings, {}, { renderLimit: budget, liquid: engine })
  toValueSync(engine.renderer.renderTemplates(nodes, context, output))
  return output.buffer
}

/** Runs a function and converts its errors to a `TemplateError` with a position. */
function withPosition<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw errorAt(error)
  }
}

const withPositionLater = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw errorAt(error)
  })

/**
 * The position that LiquidJS appends to a message. It is cut off, since `TemplateError` adds the position in another
 * form.
 */
const appendedPosition = /(, file:.*)?, line:\d+, col:\d+$/s

function errorAt(error: unknown): unknown {
  if (isOverflow(error)) return new TemplateError('The template is nested too deeply.', 1, 1)
  if (error instanceof AssertionError) return new TemplateError(error.message, 1, 1)
  if (!(error instanceof Error) || !('token' in error)) return error
  const { getPosition } = error.token as { getPosition?(): [number, number] }
  const [line, column] = getPosition?.call(error.token) ?? [1, 1]
  return new TemplateError(error.message.replace(appendedPosition, ''), line, column)
}

/** Whether an error is a stack overflow, which deep nesting causes. LiquidJS may have wrapped it in another error. */
const isOverflow = (error: unknown) =>
  error instanceof RangeError || (error instanceof Error && /^Maximum call stack size exceeded/.test(error.message))
