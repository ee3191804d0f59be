// Routing of the console: the part of the URL after `#` names the page.
import { useEffect, useState } from 'preact/hooks'

/** The page in the URL and its parameters. */
interface Route {
  /** The segments of the path: `#/queue/tasks/mail` gives `['queue', 'tasks', 'mail']`. */
  path: string[]
  query: URLSearchParams
}

/** The props that every page of the console gets. */
export interface PageOf {
  /** The segments of the path after the page's name, such as the id of an item. */
  path: string[]
  query: URLSearchParams
}

/** Parses the part of the URL after `#` into a route. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

/** The URL of a page, for a link. Omits parameters without a value. */
export function hrefOf(path: string[], query: Record<string, string | undefined> = {}): string {
  const params = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = params.length > 0 ? `?${new URLSearchParams(params)}` : ''
  return `#/${path.map(encodeURIComponent).join('/')}${search}`
}

/** Navigates to a page. */
export const go = (path: string[], query?: Record<string, string | undefined>) => {
  location.hash = hrefOf(path, query)
}

/** Hook that returns the route in the URL, and renders again when the URL changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return routeOf(hash)
}

/** Decodes a segment of the path. Returns an invalid segment, which the user may have typed, unchanged. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
