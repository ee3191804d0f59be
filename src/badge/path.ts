// Converts names of badges to the paths that the database stores, and computes the ranges of paths at and below a name.

/** Name of the counter of all badges. No badge can have this name, or a name below it. */
const all = '_all'

/**
 * Returns the stored form of a name, with a slash at the end: a path is then at or below another path exactly if it begins with
 * that path. The path of `_all` is empty, so that all paths are below it.
 */
export const pathOf = (name: string) => (name === all ? '' : `${name}/`)

/** Returns the name of a path: the inverse of `pathOf`. */
export const nameOf = (path: string) => (path === '' ? all : path.slice(0, -1))

/**
 * Returns the paths above a path, starting with the empty one: `a/b/c/` gives ``, `a/` and `a/b/`. There are none above the empty
 * path.
 */
export const pathsAbove = (path: string) => {
  const segments = path.split('/').slice(0, -1)
  return segments.map((_, depth) =>
    segments
      .slice(0, depth)
      .map((segment) => `${segment}/`)
      .join(''),
  )
}

/**
 * Returns the range of paths at or below a path, compared by bytes: `from` is inclusive, `to` exclusive. `to` ends with 0, the
 * character after the slash. The empty path has no `to`, since all paths are below it.
 */
export const rangeOf = (path: string): { from: string; to?: string } =>
  path === '' ? { from: '' } : { from: path, to: `${nameOf(path)}0` }

const maxSegments = 16

/**
 * Whether a badge can have this name: 1 to 16 segments separated by single slashes. The first must not be `_all`, the name of the
 * counter of all badges.
 */
export function isName(name: string): boolean {
  const segments = name.split('/')
  return segments.length <= maxSegments && segments.every((segment) => segment !== '') && segments[0] !== all
}
