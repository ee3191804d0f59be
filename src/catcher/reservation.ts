// Requests quota for a space that a sender without credentials writes to: for its bytes and, if the space is new, for its
// creation. The durable object in quota.ts counts both, and grants or refuses them.
import { hasAccess } from '#core/http/access'
import { ipKeyOf } from '#core/http/ip-key'
import type { CatcherVariables } from './env.ts'
import { retentionOf } from './env.ts'
import type { CaptureQuota, SpaceDemand } from './quota.ts'

export interface QuotaEnv extends CatcherVariables {
  CAPTURE_QUOTA: DurableObjectNamespace<CaptureQuota>
}

/** A sender without credentials, and the space that it names. */
export type AnonymousSender = Pick<SpaceDemand, 'space' | 'address'>

/** The quota that a space has been granted. */
export interface Reservation {
  space: string
  bytes: number
  /** Milliseconds since 1970. The space must ask again after this time. */
  until: number
}

const dayMs = 86_400_000

/** The durable object that counts the quota of all spaces. */
const quotaOf = ({ CAPTURE_QUOTA }: QuotaEnv) => CAPTURE_QUOTA.getByName('all')

/** The durable object that has the names of the spaces of senders with credentials, which have no quota. */
const namesOf = ({ CAPTURE_QUOTA }: QuotaEnv) => CAPTURE_QUOTA.getByName('names')

/** The name of the next space of any sender after a name, without one. */
export async function nextSpace(env: QuotaEnv, after: string, except: string): Promise<string | undefined> {
  const lists = [quotaOf(env), namesOf(env)]
  const names = await Promise.all(lists.map((list) => list.nextSpace(after, except)))
  return names.filter((name) => name !== undefined).toSorted()[0]
}

/**
 * Reserves quota for a space. The space must ask again after a day. The quota is released after the retention and two more days:
 * a space that has not asked again by then has deleted its requests.
 */
export async function reserve(env: QuotaEnv, demand: Omit<SpaceDemand, 'keepMs'>): Promise<Reservation> {
  const until = Date.now() + dayMs
  const bytes = await quotaOf(env).reserve({ ...demand, keepMs: 2 * dayMs + retentionOf(env) })
  return { space: demand.space, bytes, until }
}

/**
 * Records the name of a space without quota, so that an erasure finds it. Returns the time in milliseconds since 1970 after which the
 * space must repeat this. The record is deleted after the retention and two more days.
 */
export async function register(env: QuotaEnv, space: string): Promise<number> {
  const until = Date.now() + dayMs
  await namesOf(env).register(space, 2 * dayMs + retentionOf(env))
  return until
}

export const release = async (env: QuotaEnv, { space }: Reservation) => quotaOf(env).release(space)

/**
 * The sender of a request if it has no credentials; undefined if it has. `OPEN`, with which the API needs no credentials, does not
 * lift the quota. On a local start without credentials there is no quota, except for requests with `cf-connecting-ip`, which came
 * from the internet.
 */
export async function anonymousSender(
  env: QuotaEnv,
  request: Request,
  space: string,
): Promise<AnonymousSender | undefined> {
  const address = request.headers.get('cf-connecting-ip')
  const { OPEN: _, LOCAL, ...access } = env
  const isKnown = await hasAccess({ ...access, ...(LOCAL && !address && { LOCAL }) }, request, 'catcher')
  return isKnown ? undefined : { space, address: ipKeyOf(address ?? '') ?? 'unknown' }
}
