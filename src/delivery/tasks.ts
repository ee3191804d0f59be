// Creates, deletes and checks the queue tasks of a delivery. `ledger/outbox.ts` decides which tasks are needed, and calls these
// functions.
import { Failure } from '#core/failure'
import { peer } from '#core/outgoing/peer'
import type { Task } from '#queue/contract'
import type { queue } from '#queue/index'
import type { LedgerEnv } from './env.ts'
import { selfUrl, workerOf } from './env.ts'
import { proofHeader, proofOf } from './proof.ts'
import type { Range } from './range.ts'

type QueueApi = typeof queue

/** Timeout of the queue's requests: the time to fetch a page, or for a slice to complete its last message. */
const requestTimeoutS = 150

/**
 * The queue's retries. When a call is to be repeated, its reply has `Retry-After`, which the queue prefers to its own delay.
 */
const retryPolicy = { retries: 100, retry_delay: 1 }

const queueOf = (env: LedgerEnv) => peer<QueueApi>({ ...env }, 'queue')

/**
 * Creates a fraction: a task with which the queue calls `/piece` for each piece of a range. With the same idempotency key it is
 * created only once. Returns its id.
 */
export async function postFraction(env: LedgerEnv, ledger: string, range: Range, key: string): Promise<string> {
  const task = { ...(await requestOf(env, ledger, 'piece')), ...range, json: { ledger }, timeout: requestTimeoutS }
  const { fraction } = await queueOf(env)('POST /fraction', task, { 'idempotency-key': key })
  return fraction.id
}

/** Creates a task with which the queue calls `/slice` after a delay in milliseconds. Returns its id. */
export async function postSlice(env: LedgerEnv, ledger: string, slice: number, delayMs: number): Promise<string> {
  const common = await requestOf(env, ledger, 'slice')
  const json = { ledger, slice }
  const { task } = await queueOf(env)('POST /task', {
    ...common,
    json,
    timeout: requestTimeoutS,
    delay: delayMs / 1_000,
  })
  return task!.id
}

const requestOf = async (env: LedgerEnv, ledger: string, path: 'piece' | 'slice') => ({
  ...workerOf(env),
  ...retryPolicy,
  url: `${selfUrl(env)}/${path}`,
  secret_headers: { [proofHeader]: await proofOf(env, ledger) },
})

/** Deletes a task. Has no effect if the task has ended or does not exist. */
export async function withdrawTask(env: LedgerEnv, id: string): Promise<void> {
  try {
    await queueOf(env)('DELETE /task', { id })
  } catch (error) {
    if (!Failure.is(error) || (error.status !== 404 && error.status !== 409)) throw error
  }
}

/**
 * The state of a task, as far as the ledger must react. `pending`: waiting or running. `failing`: its calls fail, and the queue
 * retries them. `over`: ended, or lost by the queue.
 */
export async function standingOf(env: LedgerEnv, id: string): Promise<'pending' | 'failing' | 'over'> {
  try {
    const { task } = await queueOf(env)('GET /task', { id })
    if (task.state !== 'waiting' && task.state !== 'running') return 'over'
    return isFailing(task) ? 'failing' : 'pending'
  } catch (error) {
    if (Failure.is(error) && error.status === 404) return 'over'
    throw error
  }
}

/** Whether the calls of a task fail. A fraction's calls fail if more pieces were attempted than have ended. */
function isFailing({ state, attempts, fraction }: Pick<Task, 'state' | 'attempts' | 'fraction'>): boolean {
  if (!fraction) return state === 'waiting' && attempts > 0
  const { done, failed, lost } = fraction.pieces
  return attempts > done + failed + lost
}
