import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { objectIn } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { countLimitHit } from '#core/metrics/requests'
import type { Env } from './bindings.ts'
import { BotUpdate } from './contract.ts'
import { botLifetime, botMessage, checkBot } from './env.ts'
import { failure } from './errors.ts'
import { readLimits } from './limits.ts'
import { byChat } from './parcels.ts'
import { type Issued, storePassword } from './passwords.ts'
import { randomPassword } from './random.ts'
import { release, reserve } from './reserving.ts'
import { type Otp, schema } from './schema.ts'
import { type Address, secretsOf, unseal } from './secrecy.ts'
import { enqueueOnce } from './tasks.ts'
import { type Answered, claimPassword, findUnanswered, findUpdate, markEnqueued, storeUpdate } from './updates.ts'

/**
 * Answers who has written to the bot with a new password, once for each update. What is no message of a chat is passed over,
 * and so is who has had too many. Each step may be done again, so that what was cut off goes on with the platform's repeat,
 * or with the next sweep.
 */
export async function answerUpdate(env: Env, bytes: Uint8Array): Promise<void> {
  checkBot(env)
  const update = BotUpdate.safeParse(objectIn(bytes))
  if (!update.success) return
  const { update_id: id, message } = update.data
  const otp = open(env, schema)
  const before = id === undefined ? undefined : await findUpdate(otp, id)
  const begun = before ?? (await begin(env, otp, id, message.chat.id))
  if (begun) await passOn(env, otp, begun)
}

/** Passes on what was begun and cut off. */
export async function answerUnanswered(env: Env): Promise<void> {
  const otp = open(env, schema)
  const now = Date.now()
  for (const answered of await findUnanswered(otp, new Date(now - quick), new Date(now)))
    await passOn(env, otp, answered)
}

/** What takes longer was cut off. */
const quick = 30_000

type Begun = Pick<Answered, 'target' | 'sealed' | 'created_at' | 'expires_at'> & {
  /** None where the platform has not given one. */
  id: number | undefined
  enqueued_at?: Date | null
}

/** Counts a new update and stores its answer; nothing where there is to be none. */
async function begin(env: Env, otp: Otp, id: number | undefined, target: string): Promise<Begun | undefined> {
  const limits = { ...(await readLimits(env, 'chatapp')), ip: [], requiresIp: false }
  const places = await reserve(env, 'chatapp', limits, { ip: undefined, target }).catch(orNone)
  if (!places) return undefined
  try {
    const issued = await issue(env, otp, { channel: 'chatapp', target })
    if (id === undefined) await storePassword(otp, issued)
    else if (!(await storeUpdate(otp, id, issued))) {
      // The platform has sent the update twice at once. The other request answers it.
      await release(env, places)
      return undefined
    }
    return { id, ...issued }
  } catch (error) {
    await release(env, places)
    return orNone(error)
  }
}

/** A chat that has reached a limit gets no password. */
function orNone(error: unknown): undefined {
  if (!Failure.is(error) || error.status !== 429) throw error
  countLimitHit({ limit: error.code })
}

/** A million passwords are not all taken, though a few may be. */
const mostTries = 50

async function issue(env: Env, otp: Otp, address: Address): Promise<Issued> {
  const created_at = new Date()
  const expires_at = new Date(created_at.getTime() + botLifetime(env) * 1_000)
  for (let tries = 0; tries < mostTries; tries++) {
    const issued = { ...address, ...(await secretsOf(env, address, randomPassword())), created_at, expires_at }
    if (await claimPassword(otp, issued, created_at)) return issued
  }
  throw failure('unavailable', 'Too many passwords of the bot are valid at once.', { retryAfter: 60 })
}

/** Gives the answer to the queue, which takes it once for each update; where it does not, that is only logged. */
async function passOn(env: Env, otp: Otp, { id, target, sealed, created_at, expires_at, enqueued_at }: Begun) {
  if (enqueued_at || expires_at.getTime() <= Date.now()) return
  const password = await unseal(env, { channel: 'chatapp', target }, sealed)
  if (password === undefined) return
  const parcel = await byChat(env, { chat_id: target, message: botMessage(env, password) }, expires_at)
  const key = `otp-update-${id ?? crypto.randomUUID()}`
  try {
    await enqueueOnce(env, key, parcel, (expires_at.getTime() - created_at.getTime()) / 1_000)
    if (id !== undefined) await markEnqueued(otp, id, new Date())
  } catch (error) {
    if (!Failure.is(error)) throw error
    log('error', { component: 'otp', route: '/chatapp/webhook', outcome: error.code, ...describe(error.cause) })
  }
}
