// Matches requests by method and path, for lists, waiting readers and canned replies of the catcher.
/** Filter by method and path; a field that is not set matches all. A path with `*` at the end is a prefix. */
export interface RequestFilter {
  method?: string | null | undefined
  path?: string | null | undefined
}

export const matches = (filter: RequestFilter, { method, path }: { method: string; path: string }) =>
  (filter.method ?? method) === method && isUnder(filter.path ?? path, path)

/** Whether a text equals a pattern, or begins with the part of the pattern before a `*` at its end. */
export const isUnder = (pattern: string, path: string) =>
  pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)))
