// The webhook of the messenger bot: answers a user who writes to the bot with a new password. `bot.ts` sends the answer.
import { open } from '#core/db/open'
import { Failure } from '#core/failure'
import { objectIn } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { countLimitHit } from '#core/metrics/requests'
import type { Env } from './bindings.ts'
import { BotUpdate } from './contract.ts'
import { botLifetime, botMessage, checkBot } from './env.ts'
import { failure } from './errors.ts'
import { readLimits, releaseSlots, reserveSlots } from './limits.ts'
import { type Address, decryptFor, hashAndEncrypt } from './password-crypto.ts'
import { type Issued, storePassword } from './passwords.ts'
import { randomPassword } from './random-password.ts'
import { type Otp, schema } from './schema.ts'
import { chatTask, enqueueIdempotent } from './tasks.ts'
import { type BotUpdateRow, claimPassword, findPending, findUpdate, markEnqueued, storeUpdate } from './updates.ts'

/**
 * Handles an update of the bot platform: sends a new password to the chat, once per update. Ignores updates that are not
 * messages, and chats that have reached a limit. Each step is idempotent: after a crash, the platform's retry or the next sweep
 * completes the answer.
 */
export async function answerUpdate(env: Env, bytes: Uint8Array): Promise<void> {
  checkBot(env)
  const update = BotUpdate.safeParse(objectIn(bytes))
  if (!update.success) return
  const { update_id: id, message } = update.data
  const otp = open(env, schema)
  const before = id === undefined ? undefined : await findUpdate(otp, id)
  const pending = before ?? (await startAnswer(env, otp, id, message.chat.id))
  if (pending) await enqueueAnswer(env, otp, pending)
}

/** Creates the tasks for answers that a crash interrupted. The sweep calls it. */
export async function answerPending(env: Env): Promise<void> {
  const otp = open(env, schema)
  const now = Date.now()
  for (const answered of await findPending(otp, new Date(now - staleAfterMs), new Date(now)))
    await enqueueAnswer(env, otp, answered)
}

/** An update whose answer the queue has not accepted after this time was interrupted by a crash. */
const staleAfterMs = 30_000

type PendingAnswer = Pick<BotUpdateRow, 'target' | 'sealed' | 'created_at' | 'expires_at'> & {
  /** Id of the update. Undefined if the platform sent none. */
  id: number | undefined
  enqueued_at?: Date | null
}

/** Reserves a slot for a new update and stores its answer. Returns undefined if the chat gets no answer. */
async function startAnswer(
  env: Env,
  otp: Otp,
  id: number | undefined,
  target: string,
): Promise<PendingAnswer | undefined> {
  const limits = { ...(await readLimits(env, 'chatapp')), ip: [], requiresIp: false }
  const slots = await reserveSlots(env, 'chatapp', limits, { ip: undefined, target }).catch(orNone)
  if (!slots) return undefined
  try {
    const issued = await issue(env, otp, { channel: 'chatapp', target })
    if (id === undefined) await storePassword(otp, issued)
    else if (!(await storeUpdate(otp, id, issued))) {
      // The platform sent the update twice at the same time, and the other request answers it.
      await releaseSlots(env, slots)
      return undefined
    }
    return { id, ...issued }
  } catch (error) {
    await releaseSlots(env, slots)
    return orNone(error)
  }
}

/** Ignores the error 429: a chat that has reached a limit gets no password. Rethrows any other error. */
function orNone(error: unknown): undefined {
  if (!Failure.is(error) || error.status !== 429) throw error
  countLimitHit({ limit: error.code })
}

/**
 * Number of passwords that are drawn until one is found that no other chat has. With a million passwords a second draw is rare.
 */
const maxDraws = 50

async function issue(env: Env, otp: Otp, address: Address): Promise<Issued> {
  const created_at = new Date()
  const expires_at = new Date(created_at.getTime() + botLifetime(env) * 1_000)
  for (let draw = 0; draw < maxDraws; draw++) {
    const issued = { ...address, ...(await hashAndEncrypt(env, address, randomPassword())), created_at, expires_at }
    if (await claimPassword(otp, issued, created_at)) return issued
  }
  throw failure('unavailable', 'Too many passwords of the bot are valid at the moment. Retry later.', {
    retryAfter: 60,
  })
}

/** Creates the task that sends an answer, one per update. Failures are only logged, since the sweep tries again. */
async function enqueueAnswer(
  env: Env,
  otp: Otp,
  { id, target, sealed, created_at, expires_at, enqueued_at }: PendingAnswer,
) {
  if (enqueued_at || expires_at.getTime() <= Date.now()) return
  const password = await decryptFor(env, { channel: 'chatapp', target }, sealed)
  if (password === undefined) return
  const task = await chatTask(env, { chat_id: target, message: botMessage(env, password) }, expires_at)
  const key = `otp-update-${id ?? crypto.randomUUID()}`
  try {
    await enqueueIdempotent(env, key, task, (expires_at.getTime() - created_at.getTime()) / 1_000)
    if (id !== undefined) await markEnqueued(otp, id, new Date())
  } catch (error) {
    if (!Failure.is(error)) throw error
    log('error', { component: 'otp', route: '/chatapp/webhook', outcome: error.code, ...describe(error.cause) })
  }
}
