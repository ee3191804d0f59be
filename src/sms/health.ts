import { ping } from '#core/db/open'
import type { Probe } from '#core/http/health'
import { ProviderCode } from './contract.ts'
import { defaultProviderOf, type Env, fallbacksOf } from './env.ts'
import { providerOf } from './providers.ts'

/** The database, and each provider that is in use: up when nothing is missing in its configuration. Nobody is called. */
export function probes(env: Env): Record<string, Probe> {
  const used = ProviderCode.options.filter((code) => isUsed(env, code))
  const configured = used.map((code) => [code, async () => requireAccount(env, code)] as const)
  return { database: async () => ping(env), ...Object.fromEntries(configured) }
}

/** Whether it is asked without being named, or could be. */
const isUsed = (env: Env, code: ProviderCode) =>
  'account' in providerOf(env, code) || code === defaultProviderOf(env) || fallbacksOf(env).includes(code)

function requireAccount(env: Env, code: ProviderCode) {
  const found = providerOf(env, code)
  if (!('account' in found)) throw new Error(found.unset)
}
