import { prefixHeader } from '#core/http/base'
import { ownPrefixOf } from '#manifests'
import type { Env } from './env.ts'
import { servicesOf } from './services.ts'

const requestTimeoutMs = 5_000

/**
 * Fetches a JSON page such as `/_health` from each component, for the gateway's pages about all of them. The value of a
 * component that fails or times out is `undefined`.
 */
export async function fetchFromAll(env: Env, base: string, page: string): Promise<Map<string, unknown>> {
  const replies = [...servicesOf(env)].map(async ([component, service]) => {
    const request = new Request(`${new URL(base).origin}${ownPrefixOf(component)}${page}`, {
      headers: { [prefixHeader]: `/${component}` },
    })
    return [component, await jsonOf(service.fetch(request))] as const
  })
  return new Map(await Promise.all(replies))
}

async function jsonOf(response: Promise<Response>): Promise<unknown> {
  const timedOut = new Promise<undefined>((resolve) => setTimeout(resolve, requestTimeoutMs))
  const json = response.then((received) => (received.ok ? received.json() : undefined)).catch(() => undefined)
  return Promise.race([json, timedOut])
}
