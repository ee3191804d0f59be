// Finds the SMS providers for a message, the requested or the default one and then the fallbacks: reads their accounts from the
// environment and selects their drivers.
import { invalid, notConfigured } from '#core/failure'
import type { Env } from './bindings.ts'
import type { Kind, ProviderCode } from './contract.ts'
import { defaultProviderOf, fallbacksOf } from './env.ts'
import type { Account, Driver } from './providers/driver.ts'
import { http } from './providers/http.ts'
import { log } from './providers/log.ts'
import { smsc } from './providers/smsc.ts'
import { twilio } from './providers/twilio.ts'
import { vonage } from './providers/vonage.ts'

const drivers: Record<string, Driver> = { smsc, twilio, vonage, http, log }

/** A configured provider: its account, and the driver for its API. */
export interface Provider {
  account: Account
  driver: Driver
  code: ProviderCode
  /** Whether the driver is `log`, which sends nothing. */
  isLog: boolean
}

/**
 * The providers for a message, in the order in which they are asked: the requested provider or the default, then the fallbacks.
 * Calls have no fallbacks. Throws 400 if the requested provider cannot be used, 503 if a configured one cannot.
 */
export function providersFor(env: Env, kind: Kind, requested: ProviderCode | undefined): Provider[] {
  const code = requested ?? defaultProviderOf(env)
  if (kind === 'call' && code !== 'provider_a')
    throw invalid('provider', 'Must be provider_a, the only provider that can call. SMS_PROVIDER names another one.')
  const first = requested ? requestedProvider(env, requested) : configuredProvider(env, code)
  if (!first.driver.kinds.includes(kind))
    throw invalid('provider', `Must be a provider whose driver can send the kind ${kind}.`)
  if (kind === 'call') return [first]
  const fallbacks = new Set(fallbacksOf(env).filter((fallback) => fallback !== code))
  return [first, ...[...fallbacks].map((fallback) => configuredProvider(env, fallback))]
}

/** A provider that the request names. Throws 400 if its configuration is incomplete. */
function requestedProvider(env: Env, code: ProviderCode): Provider {
  const found = providerOf(env, code)
  if ('account' in found) return found
  throw invalid('provider', `Must be a configured provider. ${found.unset} ${found.why}.`)
}

/** A provider that `SMS_PROVIDER` or `SMS_FALLBACK` names. Throws 503 if its configuration is incomplete. */
function configuredProvider(env: Env, code: ProviderCode): Provider {
  const found = providerOf(env, code)
  if ('account' in found) return found
  throw notConfigured(`${found.unset} ${found.why}.`)
}

interface Unset {
  /** Name of the variable that is missing or invalid. */
  unset: string
  why: string
}

/** Returns a provider by its code, or the name of the variable that is missing or invalid. */
export function providerOf(env: Env, code: ProviderCode): Provider | Unset {
  const account = accountOf(env, code)
  const name = account.variable('DRIVER') ?? (env.LOCAL === 'true' && code === 'provider_a' ? 'log' : undefined)
  const variable = (short: string) => prefixOf(code) + short
  if (name === undefined) return { unset: variable('DRIVER'), why: 'must be set' }
  const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined
  if (!driver) return { unset: variable('DRIVER'), why: `must be one of ${Object.keys(drivers).join(', ')}` }
  const missing = driver.missing?.(account)
  if (missing) return { unset: variable(missing), why: 'is missing or invalid' }
  return { account, driver, code, isLog: driver === log }
}

/** Prefix of a provider's variables, such as `PROVIDER_A_` for `provider_a`. */
const prefixOf = (code: ProviderCode) => `${code.toUpperCase()}_`

function accountOf(env: Env, code: ProviderCode): Account {
  const variables: Record<string, unknown> = { ...env }
  const variable = (name: string) => {
    const value = variables[prefixOf(code) + name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    code,
    sender: variable('SENDER') ?? '',
    username: variable('USERNAME') ?? '',
    password: variable('PASSWORD') ?? '',
    url: variable('URL')?.replace(/\/+$/, ''),
    variable,
  }
}
