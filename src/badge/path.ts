/** What counts all of a user's badges; no badge is called so, nor lies below it. */
const all = '_all'

/**
 * A name as it is stored: with a slash at its end, so that a path is at or above another exactly when it is its
 * beginning. The path of `_all` is empty: all lie below it.
 */
export const pathOf = (name: string) => (name === all ? '' : `${name}/`)

/** The name of a path from `pathOf`. */
export const nameOf = (path: string) => (path === '' ? all : path.slice(0, -1))

/** The paths above a path, from the empty one down. */
export const above = (path: string) => {
  const segments = path.split('/').slice(0, -1)
  return segments.map((_, depth) =>
    segments
      .slice(0, depth)
      .map((segment) => `${segment}/`)
      .join(''),
  )
}

/** What lies at or below a path, bytewise: `from` and on, and before `to`, which the empty path does not have. */
export const rangeOf = (path: string): { from: string; to?: string } =>
  path === '' ? { from: '' } : { from: path, to: `${nameOf(path)}0` }

const mostSegments = 16

/** Whether a badge may be called so: 1 to 16 segments between single slashes, the first of them not `_all`. */
export function isName(name: string): boolean {
  const segments = name.split('/')
  return segments.length <= mostSegments && segments.every((segment) => segment !== '') && segments[0] !== all
}
