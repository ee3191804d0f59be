import { Failure } from '#core/failure'
import { peer } from '#core/outgoing/peer'
import type { Task } from '#queue/contract'
import type { queue } from '#queue/index'
import type { CourierEnv } from './env.ts'
import { selfUrl, workerOf } from './env.ts'
import { proofHeader, proofOf } from './proof.ts'
import type { Range } from './range.ts'

type QueueApi = typeof queue

/** Seconds that a request may take: for a page to be fetched, or for a slice to end the last message that it has begun. */
const timeout = 150

// What is not done is asked for again; how soon, the answer says.
const patient = { retries: 100, retry_delay: 1 }

const queueOf = (env: CourierEnv) => peer<QueueApi>({ ...env }, 'queue')

/** Has the queue bring each piece of a range, once for each key; gives the task's id. */
export async function postFraction(env: CourierEnv, ledger: string, range: Range, key: string): Promise<string> {
  const task = { ...(await requestOf(env, ledger, 'piece')), ...range, json: { ledger }, timeout }
  const { fraction } = await queueOf(env)('POST /fraction', task, { 'idempotency-key': key })
  return fraction.id
}

/** Has the queue ask for a slice of messages to be sent, after so many milliseconds; gives the task's id. */
export async function postSlice(env: CourierEnv, ledger: string, slice: number, delay: number): Promise<string> {
  const common = await requestOf(env, ledger, 'slice')
  const json = { ledger, slice }
  const { task } = await queueOf(env)('POST /task', { ...common, json, timeout, delay: delay / 1_000 })
  return task!.id
}

const requestOf = async (env: CourierEnv, ledger: string, path: 'piece' | 'slice') => ({
  ...workerOf(env),
  ...patient,
  url: `${selfUrl(env)}/${path}`,
  secret_headers: { [proofHeader]: await proofOf(env, ledger) },
})

/** Takes a task back; fine where it has ended. */
export async function withdrawTask(env: CourierEnv, id: string): Promise<void> {
  try {
    await queueOf(env)('DELETE /task', { id })
  } catch (error) {
    if (!Failure.is(error) || (error.status !== 404 && error.status !== 409)) throw error
  }
}

/** How a task stands: still to be done, or under way; tried in vain, and to be tried again some time; over, or lost. */
export async function standingOf(env: CourierEnv, id: string): Promise<'pending' | 'failing' | 'over'> {
  try {
    const { task } = await queueOf(env)('GET /task', { id })
    if (task.state !== 'waiting' && task.state !== 'running') return 'over'
    return isFailing(task) ? 'failing' : 'pending'
  } catch (error) {
    if (Failure.is(error) && error.status === 404) return 'over'
    throw error
  }
}

/** A fraction is where a piece of it was taken and has not come to its end. */
function isFailing({ state, attempts, fraction }: Pick<Task, 'state' | 'attempts' | 'fraction'>): boolean {
  if (!fraction) return state === 'waiting' && attempts > 0
  const { done, failed, lost } = fraction.pieces
  return attempts > done + failed + lost
}
