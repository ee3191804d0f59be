// Path patterns of stubs: the platform's `URLPattern`, limited to patterns that it matches in linear time.

const maxVariables = 20

/**
 * Returns why a path pattern is refused, or `undefined` if it is valid. `URLPattern` compiles a pattern to a backtracking regular
 * expression. With one variable per segment and one `*`, a match takes linear time; groups and repetitions could take exponential
 * time on a hostile path.
 */
export function objectionToPattern(pattern: string): string | undefined {
  const unescaped = pattern.replaceAll(/\\./gs, '-')
  if (/[(){}+?]/.test(unescaped)) return 'Must have a backslash before ( ) { } + and ?, which stand for themselves'
  const variables = unescaped.split('/').map((segment) => segment.split(/[:*]/).length - 1)
  if (variables.some((count) => count > 1)) return 'Must have at most one * or :name in each segment'
  if (unescaped.split('*').length > 2) return 'Must have at most one *'
  if (variables.filter(Boolean).length > maxVariables) return `Must have at most ${maxVariables} variables`
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    if (error instanceof TypeError) return 'Must be a path pattern, such as /orders/:id or /hooks/*'
    throw error
  }
}

/** Compiles a path pattern. Throws a `TypeError` if it is invalid. */
export const compilePattern = (pattern: string) => new URLPattern({ pathname: pattern })

/** Makes a path pattern from a path of `PUT /_requests_/reply`, in which only a `*` at the end has a meaning. */
export const patternOf = (path: string) =>
  path.replaceAll(/[\\(){}+?:*]/g, (character, at: number) =>
    character === '*' && at === path.length - 1 ? character : `\\${character}`,
  )

/** How similar a path is to a pattern: the share of their segments that are equal or variable, 0 to 1. */
export function similarity(pattern: string, path: string): number {
  const [expected, actual] = [pattern.split('/').slice(1), path.split('/').slice(1)]
  const equal = expected.filter((segment, i) => segment === actual[i] || (/[:*]/.test(segment) && actual[i]))
  return equal.length / Math.max(expected.length, actual.length, 1)
}
