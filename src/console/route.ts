import { useEffect, useState } from 'preact/hooks'

/** What the address names after `#`: a page, and what of it. */
interface Route {
  /** `#/queue/tasks/mail` is `['queue', 'tasks', 'mail']`. */
  path: string[]
  query: URLSearchParams
}

/** What each page is rendered with. */
export interface PageOf {
  /** The parts of the address after the page's name. */
  path: string[]
  query: URLSearchParams
}

/** The route of a `location.hash`. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

/** The link to a page; parameters without a value are left out. */
export function hrefOf(path: string[], query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
  return `#/${path.map(encodeURIComponent).join('/')}${search}`
}

/** Goes to a page as a link would. */
export const go = (path: string[], query?: Record<string, string | undefined>) => {
  location.hash = hrefOf(path, query)
}

/** The route, as it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const changed = () => setHash(location.hash)
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return routeOf(hash)
}

/** An address may have been typed by hand. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
