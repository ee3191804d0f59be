// The short-lived token with which all tabs of this browser call the API. One tab, in which the user signed in, renews it.
//
// Only this token is kept in `localStorage`, where every tab and also a script injected into a page (XSS) can read it: it expires within
// the hour, only pages of this origin may use it, and it cannot issue other tokens. The key, which is valid for long, stays with
// the tab in which the user typed it.

/** A token of the component `access`, as `localStorage` has it. */
export interface SharedToken {
  token: string
  /** Unix time in milliseconds, by the clock of this browser. */
  expires: number
  /** Time at which a tab with the key renews the token. */
  renews: number
  /** Random id of the sign-in. Renewed tokens keep it. */
  session: string
}

const key = 'quartermaster-token'

/** Lifetime that the console asks for, in seconds. After the tab with the key is closed, other tabs stay signed in for at most this long. */
const lifetimeS = 3_600

/** The token of this browser, unless it has expired. */
export function readShared(): SharedToken | undefined {
  return parse(localStorage.getItem(key))
}

export const writeShared = (shared: SharedToken) => localStorage.setItem(key, JSON.stringify(shared))

/** Deletes the token, which signs out all tabs. */
export const removeShared = () => localStorage.removeItem(key)

/** Calls the listener when another tab signs in, renews the token, or signs out. */
export function onShared(listener: (shared: SharedToken | undefined) => void) {
  addEventListener('storage', (event) => {
    if (event.storageArea === localStorage && (event.key === key || event.key === null)) listener(readShared())
  })
}

/**
 * Issues a token that may do everything that the key may do. Resolves to the status of the reply if `access` issues none, and to
 * 0 without a reply.
 */
export async function issueShared(secret: string, session: string): Promise<SharedToken | number> {
  const started = Date.now()
  try {
    const response = await fetch('/access/token', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ lifetime: lifetimeS, origins: [location.origin] }),
      credentials: 'omit',
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    })
    if (response.status !== 201) return response.status
    const { content } = (await response.json()) as { content: { token: string } }
    const lifetimeMs = lifetimeOf(content.token)
    return { token: content.token, expires: started + lifetimeMs, renews: started + lifetimeMs / 2, session }
  } catch {
    return 0
  }
}

/** Lifetime of a token in milliseconds, from its own claims, since the clocks of browser and server may differ. */
function lifetimeOf(token: string): number {
  const { iat, exp } = JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))) as Record<
    string,
    number
  >
  return (exp! - iat!) * 1_000
}

function parse(text: string | null): SharedToken | undefined {
  try {
    const shared = JSON.parse(text ?? 'null') as SharedToken | null
    return shared && shared.expires > Date.now() ? shared : undefined
  } catch {
    return undefined
  }
}
