import { requireQueueProof, signProof } from '#core/http/proof'
import { Time } from '#core/http/time'
import { peer } from '#core/outgoing/peer'
import { peerFailed } from '#core/outgoing/peer-failed'
import type { queue } from '#queue/index'
import type { Env } from './bindings.ts'
import { Callback } from './contract.ts'
import { administratorOf, backUrlOf } from './env.ts'
import { taskTime } from './times.ts'

type QueueApi = typeof queue

/**
 * Lets the queue come back to a document after so many milliseconds. The queue retries the task a few times if the bus does
 * not answer; after that the sweep finds the document. 502 if the queue does not take the task, 504 if it does not say in time.
 */
export async function enqueueDocument(env: Env, which: Callback, delay = 0): Promise<void> {
  const task = {
    worker: workerOf(env),
    // The worker limits how many tasks of a collection run at a time, so that a dead handler holds no more daemons.
    key: `collection/${which.collection}`,
    url: `${backUrlOf(env)}/callback`,
    json: which,
    secret_headers: { [proofHeader]: await proofOf(env, which) },
    delay: delay / 1_000,
    timeout: taskTime / 1_000,
    retries: 5,
    retry_delay: 1,
  }
  try {
    await peer<QueueApi>({ ...env }, 'queue')('POST /task', task)
  } catch (error) {
    throw peerFailed(error, 'queue', 'The queue did not take the task', { passed: [504] })
  }
}

/** Since when the first of the bus's tasks in line has been due; now where none is. */
export async function dueSince(env: Env): Promise<Date> {
  const { workers } = await peer<QueueApi>({ ...env }, 'queue')('GET /workers', {})
  const line = workers.find(({ name }) => name === workerOf(env))
  return line?.oldest_due_at ? Time.decode(String(line.oldest_due_at)) : new Date()
}

const workerOf = ({ QUEUE_WORKER }: Env) => QUEUE_WORKER || 'bus'

const proofHeader = 'bus-proof'

/** It does not give the administrator's secret away. */
const proofOf = (env: Env, { collection, document }: Callback): Promise<string> =>
  signProof(administratorOf(env).secret, 'bus callback', `${collection}/${document}`)

/** Lets the queue's own calls pass. */
export const isQueue = requireQueueProof({ header: proofHeader, body: Callback, proofOf })
