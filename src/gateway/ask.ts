import { prefixHeader } from '#core/http/base'
import { ownPrefixOf } from '#manifests'
import { type Env, servicesOf } from './env.ts'

const patience = 5_000

/** The JSON that each component has at one of its own pages; `undefined` of one that fails or takes too long. */
export async function askAll(env: Env, base: string, page: string): Promise<Map<string, unknown>> {
  const asked = [...servicesOf(env)].map(async ([component, service]) => {
    const request = new Request(`${new URL(base).origin}${ownPrefixOf(component)}${page}`, {
      headers: { [prefixHeader]: `/${component}` },
    })
    return [component, await answerOf(service.fetch(request))] as const
  })
  return new Map(await Promise.all(asked))
}

async function answerOf(asked: Promise<Response>): Promise<unknown> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience))
  const read = asked.then((response) => (response.ok ? response.json() : undefined)).catch(() => undefined)
  return Promise.race([read, late])
}
