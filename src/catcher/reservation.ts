import ipaddr from 'ipaddr.js'
import { hasAccess } from '#core/http/access'
import type { CatcherVariables } from './env.ts'
import { retentionOf } from './env.ts'
import type { CaptureQuota, SpaceDemand } from './quota.ts'

export interface QuotaEnv extends CatcherVariables {
  CAPTURE_QUOTA: DurableObjectNamespace<CaptureQuota>
}

/** A sender without credentials, and the space that it names. */
export type Anonymous = Pick<SpaceDemand, 'space' | 'address'>

/** What a space may hold for senders without credentials. */
export interface Reservation {
  space: string
  bytes: number
  /** Milliseconds since 1970: it asks again after that. */
  until: number
}

const dayMs = 86_400_000

/** One object for all spaces. */
const quotaOf = ({ CAPTURE_QUOTA }: QuotaEnv) => CAPTURE_QUOTA.getByName('all')

/** Asks the quota for what a space is to hold. It counts for longer than the space can keep it without asking again. */
export async function reserve(env: QuotaEnv, demand: Omit<SpaceDemand, 'keepMs'>): Promise<Reservation> {
  const until = Date.now() + dayMs
  const bytes = await quotaOf(env).reserve({ ...demand, keepMs: 2 * dayMs + retentionOf(env) })
  return { space: demand.space, bytes, until }
}

export const release = async (env: QuotaEnv, { space }: Reservation) => quotaOf(env).release(space)

/**
 * The sender, unless it has access. On a local start that asks nobody for credentials nobody lacks them; where an address is
 * known, the request came over Cloudflare.
 */
export async function anonymousSender(env: QuotaEnv, request: Request, space: string): Promise<Anonymous | undefined> {
  const address = request.headers.get('cf-connecting-ip')
  const { OPEN: _, LOCAL, ...access } = env
  const isKnown = await hasAccess({ ...access, ...(LOCAL && !address && { LOCAL }) }, request)
  return isKnown ? undefined : { space, address: unified(address ?? '') }
}

/** An IPv6 address by its first 64 bits, which one household or server has to itself. */
function unified(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.')
}
