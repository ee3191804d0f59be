// Creates the queue's tasks that deliver documents, and checks the signature of the queue's callbacks.
import { requireQueueProof, signProof } from '#core/http/proof'
import { Time } from '#core/http/time'
import { peer } from '#core/outgoing/peer'
import { peerFailed } from '#core/outgoing/peer-failed'
import type { queue } from '#queue/index'
import type { Env } from './bindings.ts'
import { Callback } from './contract/documents.ts'
import type { DeliveryKey } from './deliveries.ts'
import { administratorOf, backUrlOf } from './env.ts'
import { taskTimeoutMs } from './timeouts.ts'

type QueueApi = typeof queue

/**
 * Creates a task of the queue that delivers a document after a delay in milliseconds. The queue retries the task a few times if
 * the bus does not answer; after that the sweep finds the document. 502 if the queue rejects the task, 504 if it does not answer
 * in time.
 */
export async function enqueueDocument(
  env: Env,
  which: Callback,
  concurrency: number | null,
  delayMs = 0,
): Promise<void> {
  await createTask(env, which, flowKeyOf(which, concurrency), delayMs)
}

/** Creates a task that delivers a document to a subscriber. Each subscriber has separate flow keys, as a handler has. */
export async function enqueueDelivery(
  env: Env,
  which: DeliveryKey,
  concurrency: number | null,
  delayMs = 0,
): Promise<void> {
  const { subscription, document } = which
  await createTask(
    env,
    which,
    `subscription/${subscription}/${document % (concurrency ?? defaultConcurrency)}`,
    delayMs,
  )
}

async function createTask(env: Env, which: Callback, key: string, delayMs: number): Promise<void> {
  const task = {
    worker: workerOf(env),
    key,
    url: `${backUrlOf(env)}/callback`,
    json: which,
    secret_headers: { [proofHeader]: await proofOf(env, which) },
    delay: delayMs / 1_000,
    timeout: taskTimeoutMs / 1_000,
    retries: 5,
    retry_delay: 1,
  }
  try {
    await peer<QueueApi>({ ...env }, 'queue')('POST /task', task)
  } catch (error) {
    throw peerFailed(error, 'queue', 'The queue did not accept the task', { passed: [504] })
  }
}

/** Default of a collection's `concurrency`. */
const defaultConcurrency = 2

/**
 * Flow key of a delivery. The worker runs one task of a key at a time, so that a dead handler cannot hold all daemons. The documents
 * of a collection are spread over as many keys as it may have concurrent deliveries.
 */
const flowKeyOf = ({ collection, document }: Callback, concurrency: number | null) =>
  `collection/${collection}/${document % (concurrency ?? defaultConcurrency)}`

/** Due time of the oldest due task of the bus's worker; now if none is due. */
export async function oldestTaskDueAt(env: Env): Promise<Date> {
  const { worker } = await peer<QueueApi>({ ...env }, 'queue')('GET /worker', { name: workerOf(env) })
  return worker.oldest_due_at ? Time.decode(String(worker.oldest_due_at)) : new Date()
}

const workerOf = ({ QUEUE_WORKER }: Env) => QUEUE_WORKER || 'bus'

const proofHeader = 'bus-proof'

/** The proof that a callback comes from a task of the bus: a signature of the document's key with the administrator's secret. */
const proofOf = (env: Env, { collection, document, subscription }: Callback): Promise<string> =>
  signProof(
    administratorOf(env).secret,
    'bus callback',
    [collection, document, ...(subscription ? [subscription] : [])].join('/'),
  )

/** Whether a request is a callback of the queue: it has a valid signature. */
export const isQueue = requireQueueProof({ header: proofHeader, body: Callback, proofOf })
