import { notConfigured } from '#core/failure'
import { addressOf } from '#core/http/base'
import type { CoreEnv } from '#core/http/declaration'
import { keyOf } from '#core/outgoing/standard-webhooks'
import { isPublic } from '#core/outgoing/url'

/** The variables that the bus reads. */
export interface BusVariables extends CoreEnv {
  /** Name and secret of the administrator who is always there. */
  BOX_ADMIN_USER?: string
  BOX_ADMIN_SECRET?: string
  /** The most documents of a page, up to 1000; 100 unless given. */
  BOX_FETCH_LIMIT?: string
  /** `true`: other instances read its configuration, and it reads that of `BOX_INSTANCES`. */
  BOX_IS_SYSTEM?: string
  /** Comma-separated addresses of other buses. */
  BOX_INSTANCES?: string
  /** The key that calls to handlers and webhooks are signed with. */
  BOX_SIGNING_SECRET?: string
  QUEUE_URL?: string
  QUEUE_TOKEN?: string
  QUEUE_WORKER?: string
  /** The bus's own address, where the queue calls it back. */
  QUEUE_BACK_URL?: string
  SELF_URL?: string
}

export interface Administrator {
  name: string
  secret: string
}

/** What arrives in a header as it was sent. */
const sendable = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/

/** The administrator who is always there; 503 where none is configured. */
export function administratorOf({ BOX_ADMIN_USER, BOX_ADMIN_SECRET, LOCAL }: BusVariables): Administrator {
  const name = BOX_ADMIN_USER || (LOCAL === 'true' ? 'admin' : '')
  if (!name) throw notConfigured('Set BOX_ADMIN_USER to the user name of the bus administrator.')
  if (!BOX_ADMIN_SECRET) throw notConfigured('Set BOX_ADMIN_SECRET to the secret of the bus administrator.')
  if (!sendable.test(BOX_ADMIN_SECRET))
    throw notConfigured('BOX_ADMIN_SECRET must be printable ASCII characters without spaces at the start and the end.')
  return { name, secret: BOX_ADMIN_SECRET }
}

/** The most documents of a page. */
export function fetchLimitOf({ BOX_FETCH_LIMIT = '' }: BusVariables): number {
  if (BOX_FETCH_LIMIT === '') return 100
  if (!/^([1-9]\d{0,2}|1000)$/.test(BOX_FETCH_LIMIT))
    throw notConfigured('BOX_FETCH_LIMIT must be a whole number between 1 and 1000.')
  return Number(BOX_FETCH_LIMIT)
}

/** Whether the instance is one of a system. */
export function isSystem({ BOX_IS_SYSTEM = '' }: BusVariables): boolean {
  if (['', '0', 'false'].includes(BOX_IS_SYSTEM)) return false
  if (['1', 'true'].includes(BOX_IS_SYSTEM)) return true
  throw notConfigured('BOX_IS_SYSTEM must be true or false.')
}

/** The addresses of the instances that this one reads, without slashes at their ends; none unless it is one of a system. */
export function instancesOf(env: BusVariables): string[] {
  if (!isSystem(env)) return []
  const urls = (env.BOX_INSTANCES ?? '').split(',').map((url) => url.trim().replace(/\/+$/, ''))
  const given = [...new Set(urls.filter(Boolean))]
  if (given.length === 0) throw notConfigured('Set BOX_INSTANCES to the URLs of the instances to synchronise from.')
  if (!given.every(isAddress))
    throw notConfigured('BOX_INSTANCES must be a comma-separated list of URLs that begin with http:// or https://.')
  if (given.some(isExposed))
    throw notConfigured(
      'A URL in BOX_INSTANCES must begin with https://, which protects the secret. http:// is allowed for private hosts only.',
    )
  return given
}

/** Whether the administrator's secret would go over the internet unencrypted. */
const isExposed = (url: string) => url.startsWith('http://') && isPublic(new URL(url).hostname)

const isAddress = (url: string) => /^https?:\/\/[^/]/.test(url) && URL.canParse(url)

/** The bytes that calls are signed with, where they are. */
export function signingKeyOf({ BOX_SIGNING_SECRET }: BusVariables): Uint8Array<ArrayBuffer> | undefined {
  if (!BOX_SIGNING_SECRET) return undefined
  const key = keyOf(BOX_SIGNING_SECRET)
  if (!key)
    throw notConfigured('BOX_SIGNING_SECRET must be 24 to 64 bytes in base64, with or without the prefix whsec_.')
  return key
}

/** Where the queue calls back, without a slash at its end. */
export function backUrlOf({ QUEUE_BACK_URL, SELF_URL, BASE_URL }: BusVariables): string {
  const url = QUEUE_BACK_URL || SELF_URL || (BASE_URL && addressOf(BASE_URL, 'bus'))
  if (!url) throw notConfigured('Set QUEUE_BACK_URL or BASE_URL to the URL at which the queue calls the bus.')
  if (!isAddress(url)) throw notConfigured('QUEUE_BACK_URL must be a URL that begins with http:// or https://.')
  return url.replace(/\/+$/, '')
}

/** Refuses to serve anything with a configuration that cannot be read. */
export function checkConfiguration(env: BusVariables): void {
  administratorOf(env)
  fetchLimitOf(env)
  instancesOf(env)
  signingKeyOf(env)
}
