import { manifestOf } from '#manifests'
import type { Route } from './route.ts'

/** Whether the component stores the request as a capture (see `ownPaths`), instead of answering it with an endpoint. */
export function isCapture(route: Route | undefined): boolean {
  const { ownPaths } = (route && manifestOf(route.component)) ?? {}
  if (!route || !ownPaths) return false
  const [, path = ''] = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(route.request.url) ?? []
  const decodedPath = decoded(path).replace(/^\/+/, '/')
  return !ownPaths.some((own) => decodedPath.startsWith(own))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
