// Creates, deletes and checks the queue tasks of a delivery. `ledger/outbox.ts` decides which tasks are needed.
import { Failure } from '#core/failure'
import { peer } from '#core/outgoing/peer'
import type { Task } from '#queue/contract'
import type { queue } from '#queue/index'
import type { LedgerEnv } from './env.ts'
import { selfUrl, workerOf } from './env.ts'
import { proofHeader, proofOf } from './proof.ts'
import type { Range } from './range.ts'

type QueueApi = typeof queue

/** Time to fetch a page, or for a slice to complete its last message. */
const requestTimeoutS = 150

/** The replies say in `Retry-After` when the queue calls again. */
const retryPolicy = { retries: 100, retry_delay: 1 }

const queueOf = (env: LedgerEnv) => peer<QueueApi>({ ...env }, 'queue')

/** Creates a fraction task that calls for each piece of a range, once per idempotency key. Returns the id of the task. */
export async function postFraction(env: LedgerEnv, ledger: string, range: Range, key: string): Promise<string> {
  const task = { ...(await requestOf(env, ledger, 'piece')), ...range, json: { ledger }, timeout: requestTimeoutS }
  const { fraction } = await queueOf(env)('POST /fraction', task, { 'idempotency-key': key })
  return fraction.id
}

/** Creates a task that sends a slice after a delay in milliseconds. Returns the id of the task. */
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

/** Deletes a task. Has no effect if the task has ended. */
export async function withdrawTask(env: LedgerEnv, id: string): Promise<void> {
  try {
    await queueOf(env)('DELETE /task', { id })
  } catch (error) {
    if (!Failure.is(error) || (error.status !== 404 && error.status !== 409)) throw error
  }
}

/** State of a task. `pending`: waiting or running. `failing`: its attempts fail, and the queue retries it. `over`: ended or lost. */
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

/** A fraction fails if pieces were attempted and did not end. */
function isFailing({ state, attempts, fraction }: Pick<Task, 'state' | 'attempts' | 'fraction'>): boolean {
  if (!fraction) return state === 'waiting' && attempts > 0
  const { done, failed, lost } = fraction.pieces
  return attempts > done + failed + lost
}
