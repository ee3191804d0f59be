// Scopes of credentials: `<component>:<level>`, either of which may be `*`, and the scope `*` for everything.

/** What an endpoint does, declared next to its schema. */
const levels = ['read', 'write', 'manage', 'metrics'] as const
export type Level = (typeof levels)[number]

/** The levels that each level includes. `metrics` stands alone, so that a scraper reads nothing else. */
const included: Record<string, readonly Level[]> = {
  read: ['read'],
  write: ['read', 'write'],
  manage: ['read', 'write', 'manage'],
  metrics: ['metrics'],
  '*': levels,
}

interface Scope {
  /** Name of a component, or `*`. */
  component: string
  levels: readonly Level[]
}

/** Parses a scope. `undefined` if it is malformed. It may name a component that does not exist. */
export function parseScope(text: string): Scope | undefined {
  if (text === '*') return { component: '*', levels }
  const [component = '', level = '', ...rest] = text.split(':')
  const granted = Object.hasOwn(included, level) ? included[level] : undefined
  if (!granted || rest.length > 0 || !/^(\*|[a-z][a-z0-9-]*)$/.test(component)) return undefined
  return { component, levels: granted }
}

/** Whether scopes allow a level of a component. A `component` of `*` asks for all components. */
export const allows = (scopes: readonly string[], component: string, level: Level): boolean =>
  scopes
    .flatMap((text) => parseScope(text) ?? [])
    .some((scope) => (scope.component === '*' || scope.component === component) && scope.levels.includes(level))

/** The requested scopes that the granted ones do not include. */
export const missingScopes = (granted: readonly string[], requested: readonly string[]): string[] =>
  requested.filter((text) => {
    const scope = parseScope(text)
    return !scope?.levels.every((level) => allows(granted, scope.component, level))
  })
