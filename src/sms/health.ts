import { ping } from '#core/db/open'
import type { Probe } from '#core/http/declaration'
import { ProbeReport } from '#core/http/health'
import type { Env } from './bindings.ts'
import { readCircuit } from './breaker.ts'
import { ProviderCode } from './contract.ts'
import { defaultProviderOf, fallbacksOf } from './env.ts'
import { providerOf } from './providers.ts'

/**
 * Checks for `/_health`: the database, and each provider in use. A provider is up if its configuration is complete and its
 * circuit is not open. No provider is called, since that would cost a message.
 */
export function probes(env: Env): Record<string, Probe> {
  const used = ProviderCode.options.filter((code) => isUsed(env, code))
  const configured = used.map((code) => [code, () => healthOf(env, code)] as const)
  return { database: async () => ping(env), ...Object.fromEntries(configured) }
}

/** Whether requests may use the provider: it is configured, or it is the default or a fallback. */
const isUsed = (env: Env, code: ProviderCode) =>
  'account' in providerOf(env, code) || code === defaultProviderOf(env) || fallbacksOf(env).includes(code)

async function healthOf(env: Env, code: ProviderCode): Promise<ProbeReport> {
  const found = providerOf(env, code)
  if (!('account' in found)) throw new Error(found.unset)
  const { state, retryAfterMs } = await readCircuit(env, code)
  const details = { circuit: state, ...(retryAfterMs > 0 && { retry_after: Math.ceil(retryAfterMs / 1_000) }) }
  return new ProbeReport(state !== 'open', details)
}
