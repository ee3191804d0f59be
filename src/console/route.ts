import { useEffect, useState } from 'preact/hooks'

// Routing by the part of the URL after `#`.

/** The page and its parameters in the URL. */
interface Route {
  /** `#/queue/tasks/mail` is `['queue', 'tasks', 'mail']`. */
  path: string[]
  query: URLSearchParams
}

/** The props of a page. */
export interface PageOf {
  /** The segments of the path after the page's name. */
  path: string[]
  query: URLSearchParams
}

/** Parses `location.hash`. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

/** The link to a page. Omits parameters without a value. */
export function hrefOf(path: string[], query: Record<string, string | undefined> = {}): string {
  const params = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = params.length > 0 ? `?${new URLSearchParams(params)}` : ''
  return `#/${path.map(encodeURIComponent).join('/')}${search}`
}

/** Navigates to a page. */
export const go = (path: string[], query?: Record<string, string | undefined>) => {
  location.hash = hrefOf(path, query)
}

/** The current route. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return routeOf(hash)
}

/** Decodes a segment. An invalid one, which the user may have typed, is returned unchanged. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
