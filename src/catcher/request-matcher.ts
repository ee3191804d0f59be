// Matches requests by the conditions of a stub or a verification, and lists the conditions that a request does not fulfil.
import { valuesIn } from '#core/template/values'
import type { RequestMatch } from './contract/stubs.ts'
import type { Difference } from './contract/verification.ts'
import { compilePattern, similarity } from './path-pattern.ts'
import type { RequestFacts } from './request-facts.ts'
import { isUnder } from './request-filter.ts'

/** A difference with its weight: a similar path counts less than another one. */
interface WeightedDifference extends Difference {
  weight: number
}

const maxShownCharacters = 200
const maxDifferences = 20

/** The conditions of a stub or a verification, compiled. */
export class RequestMatcher {
  readonly #match: RequestMatch
  readonly #pattern: URLPattern | undefined
  readonly #headers: [string, string | boolean][]
  readonly #json: { value: unknown } | undefined

  /** With `isLiteral`, the path is a text that may end in `*`, as in `PUT /_requests_/reply`, and not a pattern. */
  constructor(match: RequestMatch, { isLiteral = false } = {}) {
    this.#match = match
    this.#pattern = match.path === undefined || isLiteral ? undefined : compilePattern(match.path)
    this.#headers = Object.entries(match.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    this.#json = match.json === undefined ? undefined : { value: valuesIn(match.json) }
  }

  /** Whether bodies must be read to compare requests. */
  get needsBody(): boolean {
    return this.#json !== undefined
  }

  matches(facts: RequestFacts): boolean {
    return this.#differences(facts).next().done === true
  }

  /** The first differences of a request, and how much it differs. A request that matches has none. */
  compare(facts: RequestFacts): { differences: Difference[]; distance: number } {
    const found = this.#differences(facts).take(maxDifferences).toArray()
    return {
      differences: found.map(({ weight: _, ...difference }) => difference),
      distance: found.reduce((sum, { weight }) => sum + weight, 0),
    }
  }

  /** The values of the variables in the path pattern, by name, decoded. */
  paramsOf({ request: { path } }: RequestFacts): Record<string, string> {
    const groups = Object.entries(this.#pattern?.exec({ pathname: path })?.pathname.groups ?? {})
    return Object.fromEntries(groups.map(([name, value = '']) => [name, decode(value)]))
  }

  /** The differences of a request, those that are cheap to find first. */
  *#differences(facts: RequestFacts): Generator<WeightedDifference> {
    const { method, path } = facts.request
    const expected = this.#match
    if (expected.method !== undefined && expected.method !== method) yield differs('method', expected.method, method)
    if (expected.path !== undefined && !this.#hasPath(expected.path, path))
      yield differs('path', expected.path, path, 1 - similarity(expected.path, path) / 2)
    for (const [name, value] of Object.entries(expected.query ?? {})) {
      const values = facts.query.getAll(name)
      if (!fits(value, values)) yield differs(`query.${name}`, describe(value), listed(values))
    }
    for (const [name, value] of this.#headers) {
      const values = Object.hasOwn(facts.headers, name) ? [facts.headers[name]!] : []
      if (!fits(value, values)) yield differs(`headers.${name}`, describe(value), listed(values))
    }
    if (this.#json) yield* jsonDifferences(this.#json.value, facts.json, 'json')
  }

  #hasPath(expected: string, path: string) {
    return this.#pattern ? this.#pattern.test({ pathname: path }) : isUnder(expected, path)
  }
}

function differs(field: string, expected: string, actual: string | null, weight = 1): WeightedDifference {
  return { field: shorten(field), expected: shorten(expected), actual: actual && shorten(actual), weight }
}

const shorten = (text: string) => text.slice(0, maxShownCharacters).toWellFormed()

/** Whether the values of a query parameter or a header are the expected ones. */
function fits(expected: string | boolean | string[], values: string[]): boolean {
  if (typeof expected === 'boolean') return values.length > 0 === expected
  if (typeof expected === 'string') return values.some((value) => isUnder(expected, value))
  return values.length === expected.length && values.every((value, i) => value === expected[i])
}

function describe(expected: string | boolean | string[]): string {
  if (typeof expected === 'boolean') return expected ? 'any value' : 'absent'
  return typeof expected === 'string' ? expected : JSON.stringify(expected)
}

const listed = (values: string[]) => (values.length > 1 ? JSON.stringify(values) : (values[0] ?? null))

/** The parts of the expected JSON that the actual JSON lacks. Objects may have more keys; arrays have the same length. */
function* jsonDifferences(expected: unknown, actual: unknown, at: string): Generator<WeightedDifference> {
  if (typeof expected !== 'object' || expected === null) {
    if (expected !== actual) yield differsInJson(at, expected, actual)
  } else if (!isSameKind(expected, actual)) {
    yield differsInJson(at, expected, actual)
  } else {
    for (const [key, value] of Object.entries(expected))
      yield* jsonDifferences(value, Object.hasOwn(actual, key) ? actual[key] : undefined, `${at}.${key}`)
  }
}

/** Whether the actual value is an object too, or an array of the same length. */
const isSameKind = (expected: object, actual: unknown): actual is Record<string, unknown> =>
  typeof actual === 'object' &&
  actual !== null &&
  Array.isArray(expected) === Array.isArray(actual) &&
  (!Array.isArray(expected) || expected.length === (actual as unknown as unknown[]).length)

const differsInJson = (at: string, expected: unknown, actual: unknown) =>
  differs(at, JSON.stringify(expected), actual === undefined ? null : JSON.stringify(actual))

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch (error) {
    if (error instanceof URIError) return value
    throw error
  }
}
