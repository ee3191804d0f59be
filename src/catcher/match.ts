/** What a reader looks for; with `*` at its end a path is a prefix. */
export interface RequestFilter {
  method?: string | null | undefined
  path?: string | null | undefined
}

export const matches = (wanted: RequestFilter, { method, path }: { method: string; path: string }) =>
  (wanted.method ?? method) === method && isUnder(wanted.path ?? path, path)

const isUnder = (pattern: string, path: string) =>
  pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)))
