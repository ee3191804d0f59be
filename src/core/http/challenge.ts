// The header `WWW-Authenticate` of 401 replies, which says how to send credentials.
import type { RootSecrets } from '#core/access/root-secrets'
import { isNavigation } from './navigation.ts'

/**
 * HTTP Basic (RFC 7617) only if a person opens a page that needs credentials, since browsers then ask for a password; else Bearer
 * (RFC 6750), which browsers ignore. Without a password in the configuration, asking for one would be in vain.
 */
export function challengeOf(env: RootSecrets, request: Request, isPage: boolean): string {
  const hasPassword = Boolean(env.HTTP_AUTH_USERNAME && env.HTTP_AUTH_PASSWORD)
  if (isPage && hasPassword && isNavigation(request)) return 'Basic realm="Quartermaster", charset="UTF-8"'
  const isWrong = request.headers.has('authorization')
  return `Bearer realm="Quartermaster"${isWrong ? ', error="invalid_token"' : ''}`
}
