import { assert, type Context, type FilterImplOptions, toValue } from 'liquidjs'
import { escapeHtml } from './html.ts'
import { SafeHtml } from './safe-html.ts'
import { textOf } from './text-of.ts'

// Limits on the work and output of rendering a template, since templates come from callers and could loop for ever.

/** Limits of one rendering. */
export interface RenderLimits {
  /** Maximum length of the output. */
  characters: number
  /** Maximum number of rendered nodes of the parse tree and of items that filters process. Nodes in a loop count each time. */
  steps: number
}

type RenderLimit = Context['renderLimit']

/**
 * Makes a limit on steps in place of LiquidJS's time limit, since a Worker's clock does not advance while it computes.
 * The cast is needed for the private fields of LiquidJS's class, which is not exported.
 */
export function renderBudget(maxSteps: number): RenderLimit {
  let steps = 0
  const use = (count: number) => {
    steps += count
    assert(steps <= maxSteps, `The template takes more than ${maxSteps} steps. Use fewer or shorter loops.`)
  }
  return { check: () => use(1), use } as unknown as RenderLimit
}

/**
 * Wraps a filter so that its input counts towards the limits: list items as steps, texts as memory. Not all of
 * LiquidJS's filters count them.
 */
export function counted(filter: FilterImplOptions): FilterImplOptions {
  const { handler, raw } = typeof filter === 'function' ? { handler: filter, raw: false } : filter
  return {
    raw: raw ?? false,
    handler(...input: unknown[]) {
      const [value, ...others] = input.map((one): unknown => toValue(one))
      for (const one of [value, ...others]) {
        if (Array.isArray(one)) this.context.renderLimit.use(one.length)
        if (typeof one === 'string') this.context.memoryLimit.use(one.length)
      }
      return handler.call(this, value, ...others)
    },
  }
}

/** Collects the output of a template up to a maximum length. */
export class OutputBuffer {
  buffer = ''
  private readonly maxLength: number

  constructor(maxLength: number) {
    this.maxLength = maxLength
  }

  write(value: unknown) {
    this.buffer += textOf(value)
    assert(this.buffer.length <= this.maxLength, `The output is longer than ${this.maxLength} characters.`)
  }
}

interface WriterThis {
  context: Context
}

/**
 * Makes the `outputEscape` function of an engine: converts a value to text, escaped in HTML, and counts the text
 * towards the memory limit.
 */
export const writer = (kind: 'html' | 'text') =>
  function write(this: WriterThis | void, value: unknown): string {
    const { context } = this as WriterThis
    const text = textOf(value)
    context.memoryLimit.use(text.length)
    return kind === 'html' && !(value instanceof SafeHtml) ? escapeHtml(text) : text
  }
