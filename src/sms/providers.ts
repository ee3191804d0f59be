import { invalid, notConfigured } from '#core/failure'
import type { Env } from './bindings.ts'
import type { Kind, ProviderCode } from './contract.ts'
import { defaultProviderOf, fallbacksOf } from './env.ts'
import { http } from './providers/http.ts'
import { log } from './providers/log.ts'
import type { Account, Driver } from './providers/provider.ts'
import { smsc } from './providers/smsc.ts'
import { twilio } from './providers/twilio.ts'
import { vonage } from './providers/vonage.ts'

const drivers: Record<string, Driver> = { smsc, twilio, vonage, http, log }

/** A provider as it is configured. */
export interface Provider {
  account: Account
  driver: Driver
  code: ProviderCode
  /** It only writes down what it takes. */
  isLog: boolean
}

/** Who is asked for messages of a kind, one after the other: who the caller names, else the default, then the fallbacks. */
export function routeOf(env: Env, kind: Kind, asked: ProviderCode | undefined): Provider[] {
  const code = asked ?? defaultProviderOf(env)
  if (kind === 'call' && code !== 'provider_a')
    throw invalid('provider', 'Must be provider_a, the only provider that can call. SMS_PROVIDER names another one.')
  const first = asked ? named(env, asked) : configured(env, code)
  if (!first.driver.kinds.includes(kind))
    throw invalid('provider', `Must be a provider whose driver can send the kind ${kind}.`)
  if (kind === 'call') return [first]
  const next = new Set(fallbacksOf(env).filter((fallback) => fallback !== code))
  return [first, ...[...next].map((fallback) => configured(env, fallback))]
}

/** 400 where a provider cannot be used that the caller has named. */
function named(env: Env, code: ProviderCode): Provider {
  const found = providerOf(env, code)
  if ('account' in found) return found
  throw invalid('provider', `Must be a configured provider. ${found.unset} ${found.why}.`)
}

/** 503 where a provider cannot be used that the operator has named. */
function configured(env: Env, code: ProviderCode): Provider {
  const found = providerOf(env, code)
  if ('account' in found) return found
  throw notConfigured(`${found.unset} ${found.why}`)
}

interface Unset {
  /** The variable at fault. */
  unset: string
  why: string
}

/** A provider by its code, or the variable for want of which it cannot be used. */
export function providerOf(env: Env, code: ProviderCode): Provider | Unset {
  const account = accountOf(env, code)
  const name = account.variable('DRIVER') ?? (env.LOCAL === 'true' && code === 'provider_a' ? 'log' : undefined)
  const variable = (short: string) => prefixOf(code) + short
  if (name === undefined) return { unset: variable('DRIVER'), why: 'must be set' }
  const driver = Object.hasOwn(drivers, name) ? drivers[name] : undefined
  if (!driver) return { unset: variable('DRIVER'), why: `must be one of ${Object.keys(drivers).join(', ')}` }
  const missing = driver.missing?.(account)
  if (missing) return { unset: variable(missing), why: 'is missing or cannot be read' }
  return { account, driver, code, isLog: driver === log }
}

/** `PROVIDER_A_` of `provider_a`. */
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
