// Probes by TCP whether a task's target refuses connections, so that the request was certainly not sent. Local starts only.
import { connect } from 'cloudflare:sockets'
import { LruCache } from '#core/lru-cache'
import { objectionTo, type TargetEnv } from '#core/outgoing/url'

/** An origin that has responded within this time is not probed. */
const recentAnswerMs = 1_000

/** Time of the last response of each origin, in milliseconds since 1970. */
const answers = new LruCache<number>(1_000)

/** Records that the origin of a URL has responded. */
export function noteAnswer(url: string): void {
  answers.set(new URL(url).origin, Date.now())
}

/**
 * Whether the target refuses connections, so that the request was certainly not sent. `fetch` reports a refused connection like
 * one that is reset after the request was written, so this opens and closes a TCP connection before the request, unless the
 * origin has just responded. Only a local start probes: on Cloudflare, `connect` is refused for Cloudflare's own addresses, which
 * many targets have, and Cloudflare responds for a web server that is down (520 to 526, 530).
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
    const timedOut = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeout)
    })
    await Promise.race([socket.opened, timedOut])
    return false
  } catch {
    return true
  } finally {
    clearTimeout(timer)
    void socket.close().catch(() => undefined)
  }
}
