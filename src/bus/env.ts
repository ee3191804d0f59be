// Variables of the bus: their types, defaults and checks.
import { cutoffOf } from '#core/db/retention'
import { notConfigured } from '#core/failure'
import { addressOf } from '#core/http/base'
import type { CoreEnv } from '#core/http/declaration'
import { keyOf } from '#core/outgoing/standard-webhooks'
import { isPublic } from '#core/outgoing/url'

/** The variables that the bus reads. */
export interface BusVariables extends CoreEnv {
  /** Name and secret of the built-in administrator. */
  BOX_ADMIN_USER?: string
  BOX_ADMIN_SECRET?: string
  /** Maximum number of documents in a page, 1 to 1000. Default: 100. */
  BOX_FETCH_LIMIT?: string
  /** Seconds for which documents are stored. Unset: until their collection is deleted. */
  BOX_RETENTION?: string
  /** With `true`, instances share users, collections and access: each reads the logs of `BOX_INSTANCES`. */
  BOX_IS_SYSTEM?: string
  /** Comma-separated addresses of other buses. */
  BOX_INSTANCES?: string
  /** Key for the signatures of calls to handlers and webhooks (Standard Webhooks). */
  BOX_SIGNING_SECRET?: string
  /** Key, or two comma-separated keys, that encrypt signing secrets. The first encrypts, all decrypt. */
  BOX_SECRET_KEY?: string
  QUEUE_URL?: string
  QUEUE_TOKEN?: string
  QUEUE_WORKER?: string
  /** Address of the bus for the callbacks of the queue. */
  QUEUE_BACK_URL?: string
  SELF_URL?: string
}

export interface Administrator {
  name: string
  secret: string
}

/** Text that an HTTP header transports unchanged, as a secret must be: it is sent in `Api-Secret`. */
const headerText = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/

/** The built-in administrator. Throws 503 if none is configured. */
export function administratorOf({ BOX_ADMIN_USER, BOX_ADMIN_SECRET, LOCAL }: BusVariables): Administrator {
  const name = BOX_ADMIN_USER || (LOCAL === 'true' ? 'admin' : '')
  if (!name) throw notConfigured('Set BOX_ADMIN_USER to the user name of the bus administrator.')
  if (!BOX_ADMIN_SECRET) throw notConfigured('Set BOX_ADMIN_SECRET to the secret of the bus administrator.')
  if (!headerText.test(BOX_ADMIN_SECRET))
    throw notConfigured('BOX_ADMIN_SECRET must be printable ASCII characters without spaces at the start and the end.')
  return { name, secret: BOX_ADMIN_SECRET }
}

/** Maximum number of documents in a page. */
export function fetchLimitOf({ BOX_FETCH_LIMIT = '' }: BusVariables): number {
  if (BOX_FETCH_LIMIT === '') return 100
  if (!/^([1-9]\d{0,2}|1000)$/.test(BOX_FETCH_LIMIT))
    throw notConfigured('BOX_FETCH_LIMIT must be a whole number between 1 and 1000.')
  return Number(BOX_FETCH_LIMIT)
}

/** Whether the instance shares its configuration with others. */
export function isSystem({ BOX_IS_SYSTEM = '' }: BusVariables): boolean {
  if (['', '0', 'false'].includes(BOX_IS_SYSTEM)) return false
  if (['1', 'true'].includes(BOX_IS_SYSTEM)) return true
  throw notConfigured('BOX_IS_SYSTEM must be true or false.')
}

/** Addresses of the other instances without trailing slashes; empty unless `BOX_IS_SYSTEM`. */
export function instancesOf(env: BusVariables): string[] {
  if (!isSystem(env)) return []
  const urls = (env.BOX_INSTANCES ?? '').split(',').map((url) => url.trim().replace(/\/+$/, ''))
  const instances = [...new Set(urls.filter(Boolean))]
  if (instances.length === 0) throw notConfigured('Set BOX_INSTANCES to the URLs of the instances to synchronise from.')
  if (!instances.every(isAddress))
    throw notConfigured('BOX_INSTANCES must be a comma-separated list of URLs that begin with http:// or https://.')
  if (instances.some(isExposed))
    throw notConfigured(
      'A URL in BOX_INSTANCES must begin with https://, which protects the secret. http:// is allowed for private hosts only.',
    )
  return instances
}

/** Whether reading the log at this URL would send the administrator's secret over the internet unencrypted. */
const isExposed = (url: string) => url.startsWith('http://') && isPublic(new URL(url).hostname)

const isAddress = (url: string) => /^https?:\/\/[^/]/.test(url) && URL.canParse(url)

/** The key of signatures; undefined if calls are not signed. */
export function signingKeyOf({ BOX_SIGNING_SECRET }: BusVariables): Uint8Array<ArrayBuffer> | undefined {
  if (!BOX_SIGNING_SECRET) return undefined
  const key = keyOf(BOX_SIGNING_SECRET)
  if (!key)
    throw notConfigured('BOX_SIGNING_SECRET must be 24 to 64 bytes in base64, with or without the prefix whsec_.')
  return key
}

/** The keys that encrypt signing secrets. Empty if none is configured. */
export const secretKeysOf = ({ BOX_SECRET_KEY = '' }: BusVariables): string[] =>
  BOX_SECRET_KEY.split(',')
    .map((key) => key.trim())
    .filter(Boolean)

/** Address for the callbacks of the queue, without a trailing slash. */
export function backUrlOf({ QUEUE_BACK_URL, SELF_URL, BASE_URL }: BusVariables): string {
  const url = QUEUE_BACK_URL || SELF_URL || (BASE_URL && addressOf(BASE_URL, 'bus'))
  if (!url) throw notConfigured('Set QUEUE_BACK_URL or BASE_URL to the URL at which the queue calls the bus.')
  if (!isAddress(url)) throw notConfigured('QUEUE_BACK_URL must be a URL that begins with http:// or https://.')
  return url.replace(/\/+$/, '')
}

/** Throws 503 with the rule of the first variable that is missing or invalid. */
export function checkConfiguration(env: BusVariables): void {
  administratorOf(env)
  fetchLimitOf(env)
  cutoffOf('BOX_RETENTION', env.BOX_RETENTION, new Date())
  instancesOf(env)
  signingKeyOf(env)
}
