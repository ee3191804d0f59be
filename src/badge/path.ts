// Converts names of badges to the paths that the database stores, and computes the ranges of paths at and below a name.

/** The name of the counter of all badges. No badge can have it, or a name below it. */
const all = '_all'

/**
 * The stored form of a name: with a slash at the end, so that a path is at or above another if and only if it is its prefix.
 * The path of `_all` is empty: all paths are below it.
 */
export const pathOf = (name: string) => (name === all ? '' : `${name}/`)

/** The inverse of `pathOf`. */
export const nameOf = (path: string) => (path === '' ? all : path.slice(0, -1))

/** The paths above a path, starting with the empty one: `a/b/c/` gives ``, `a/` and `a/b/`. The empty path has none. */
export const pathsAbove = (path: string) => {
  const segments = path.split('/').slice(0, -1)
  return segments.map((_, depth) =>
    segments
      .slice(0, depth)
      .map((segment) => `${segment}/`)
      .join(''),
  )
}

/** The range of paths at or below a path, bytewise: `from` inclusive, `to` exclusive. The empty path has no `to`. */
export const rangeOf = (path: string): { from: string; to?: string } =>
  path === '' ? { from: '' } : { from: path, to: `${nameOf(path)}0` }

const maxSegments = 16

/** Whether a badge can have this name: 1 to 16 segments separated by single slashes, the first not `_all`. */
export function isName(name: string): boolean {
  const segments = name.split('/')
  return segments.length <= maxSegments && segments.every((segment) => segment !== '') && segments[0] !== all
}
