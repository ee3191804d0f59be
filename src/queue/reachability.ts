import { connect } from 'cloudflare:sockets'
import { LruCache } from '#core/lru-cache'
import { objectionTo, type TargetEnv } from '#core/outgoing/url'

/** An origin that answered this recently is not probed. */
const recentAnswerMs = 1_000

/** Milliseconds since 1970 of the last answer of an origin. */
const answers = new LruCache<number>(1_000)

/** Notes that the origin of a URL has answered. */
export function noteAnswer(url: string): void {
  answers.set(new URL(url).origin, Date.now())
}

/**
 * Whether the target certainly accepts no connection, so that a request is not sent. `fetch` reports a refused connection as it
 * does one that is reset after the request was written, hence a connection is opened and closed before the request, unless the
 * origin has just answered. Only a local start probes: deployed, `connect` is refused for Cloudflare's own addresses, which
 * many targets have, and Cloudflare answers for a web server that is down (520 to 526, 530).
 */
export async function refusesConnections(
  env: TargetEnv & { LOCAL?: string },
  { url, timeout }: { url: string; timeout: number },
): Promise<boolean> {
  if (env.LOCAL !== 'true' || objectionTo(url, env)) return false
  const { origin, hostname, port: given, protocol } = new URL(url)
  const port = Number(given || (protocol === 'https:' ? 443 : 80))
  if (Date.now() - (answers.get(origin) ?? 0) < recentAnswerMs) return false
  let timer: ReturnType<typeof setTimeout> | undefined
  const socket = connect({ hostname, port })
  socket.closed.catch(() => undefined)
  try {
    const isLate = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeout)
    })
    await Promise.race([socket.opened, isLate])
    return false
  } catch {
    return true
  } finally {
    clearTimeout(timer)
    void socket.close().catch(() => undefined)
  }
}
