import { assert, type Context, type FilterImplOptions, toValue } from 'liquidjs'
import { escapeHtml } from './html.ts'
import { SafeHtml } from './safe-html.ts'
import { textOf } from './text-of.ts'

/** How much one rendering may take. */
export interface RenderLimits {
  /** The longest text that comes out. */
  characters: number
  /** The most nodes of the parse tree that are rendered, and items that filters work on; what is in a loop counts each time. */
  steps: number
}

type RenderLimit = Context['renderLimit']

/**
 * LiquidJS's limit on time, counting steps instead: a Worker's clock stands still while it computes. The cast is for the
 * private fields of the class, which is not published.
 */
export function renderBudget(most: number): RenderLimit {
  let steps = 0
  const use = (count: number) => {
    steps += count
    assert(steps <= most, `The template takes more than ${most} steps`)
  }
  return { check: () => use(1), use } as unknown as RenderLimit
}

/** A filter that counts what it works on, since not each of the library's own does: a list's items as steps, a text as memory. */
export function counted(filter: FilterImplOptions): FilterImplOptions {
  const { handler, raw } = typeof filter === 'function' ? { handler: filter, raw: false } : filter
  return {
    raw: raw ?? false,
    handler(...given: unknown[]) {
      const [value, ...others] = given.map((one): unknown => toValue(one))
      for (const one of [value, ...others]) {
        if (Array.isArray(one)) this.context.renderLimit.use(one.length)
        if (typeof one === 'string') this.context.memoryLimit.use(one.length)
      }
      return handler.call(this, value, ...others)
    },
  }
}

/** Takes what a template writes, up to a length. */
export class Sink {
  buffer = ''
  private readonly most: number

  constructor(most: number) {
    this.most = most
  }

  write(value: unknown) {
    this.buffer += textOf(value)
    assert(this.buffer.length <= this.most, `The template makes more than ${this.most} characters`)
  }
}

interface Writing {
  context: Context
}

/** What each value goes through before it is written; it counts as memory, also where a template captures it. */
export const writer = (kind: 'html' | 'text') =>
  function write(this: Writing | void, value: unknown): string {
    const { context } = this as Writing
    const text = textOf(value)
    context.memoryLimit.use(text.length)
    return kind === 'html' && !(value instanceof SafeHtml) ? escapeHtml(text) : text
  }
