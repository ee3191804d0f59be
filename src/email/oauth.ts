// Gets the access tokens with which the component logs in to SMTP servers by XOAUTH2, and caches them in the isolate.

import { call } from '#core/outgoing/call'
import type { TargetEnv } from '#core/outgoing/url'
import { SmtpFailure } from './smtp/failure.ts'
import type { OAuthClient, SmtpServer } from './smtp/server.ts'

const tokenTimeoutMs = 10_000
const maxTokenBytes = 64_000

/** A token is renewed this long before it expires, so that it is valid for the whole session. */
const renewalMs = 180_000

/** Lifetime of a token whose response has no `expires_in`. */
const defaultLifetimeMs = 600_000

const tokens = new Map<string, { token: string; until: number }>()

/**
 * The server with an access token as its credentials, if it has an OAuth client. Requests a new token if none is cached, or
 * with `isNew`. Throws an `SmtpFailure` if the token endpoint returns none.
 */
export async function withToken(env: TargetEnv, server: SmtpServer, isNew = false): Promise<SmtpServer> {
  const { oauth, ...rest } = server
  if (!oauth) return server
  const key = JSON.stringify(oauth)
  const cached = tokens.get(key)
  if (cached && !isNew && Date.now() < cached.until) return loggedIn(rest, oauth, cached.token)
  const fresh = await requestToken(env, oauth).catch(() => undefined)
  if (!fresh) throw new SmtpFailure('login', 'no_token')
  tokens.set(key, fresh)
  return loggedIn(rest, oauth, fresh.token)
}

const loggedIn = (server: SmtpServer, { user }: OAuthClient, token: string): SmtpServer => ({
  ...server,
  credentials: { user, token },
})

/** Requests a token with the refresh token, or else with the client's credentials (RFC 6749, sections 6 and 4.4). */
async function requestToken(env: TargetEnv, { tokenUrl, clientId, clientSecret, refreshToken, scope }: OAuthClient) {
  const form = new URLSearchParams({
    ...(refreshToken
      ? { grant_type: 'refresh_token', refresh_token: refreshToken }
      : { grant_type: 'client_credentials' }),
    ...{ client_id: clientId, ...(clientSecret && { client_secret: clientSecret }), ...(scope && { scope }) },
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
  const { status, body } = await call(
    env,
    { method: 'POST', url: tokenUrl, headers, body: form.toString() },
    { timeout: tokenTimeoutMs, most: maxTokenBytes, redirects: 'none' },
  )
  const json = JSON.parse(new TextDecoder().decode(body)) as { access_token?: unknown; expires_in?: unknown } | null
  const token = json?.access_token
  if (status !== 200 || typeof token !== 'string' || !/^[!-~]{1,16000}$/.test(token)) return undefined
  const lifetimeMs = Number(json?.expires_in) * 1_000 || defaultLifetimeMs
  return { token, until: Date.now() + lifetimeMs - renewalMs }
}
