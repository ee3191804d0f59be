import { Failure } from '#core/failure'
import { isSame } from '#core/http/access'
import type { Asked } from '#core/http/declaration'
import { parseObject } from '#core/http/json'
import { peer } from '#core/outgoing/peer'
import type { queue } from '#queue/index'
import { Callback } from './contract.ts'
import { administratorOf, backUrlOf, type Env } from './env.ts'
import { taskTime } from './times.ts'

type QueueApi = typeof queue

/**
 * Lets the queue come back to a document after so many milliseconds. The task is repeated a few times where the bus does
 * not answer; what is not done by then the sweep finds. 502 where the queue does not take it.
 */
export async function enqueueDocument(env: Env, which: Callback, delay = 0): Promise<void> {
  const task = {
    worker: env.QUEUE_WORKER || 'bus',
    url: `${backUrlOf(env)}/callback`,
    json: which,
    secret_headers: { 'bus-proof': await proofOf(env, which) },
    delay: delay / 1_000,
    timeout: taskTime / 1_000,
    retries: 5,
    retry_delay: 1,
  }
  try {
    await peer<QueueApi>({ ...env }, 'queue')('POST /task', task)
  } catch (cause) {
    if (!Failure.is(cause) || cause.refusal === 'not_configured') throw cause
    throw new Failure('upstream_failed', 'The queue did not take the task', { code: 'queue_failed', cause })
  }
}

/** Lets the queue's own calls pass. */
export async function isQueue({ env, request, bytes }: Asked<Env>): Promise<true> {
  const which = Callback.safeParse(callbackIn(bytes))
  const given = request.headers.get('bus-proof') ?? ''
  if (which.success && (await isSame(given, await proofOf(env, which.data)))) return true
  throw new Failure('unauthorized', 'Only the queue calls this, with a proof that the bus has given it')
}

function callbackIn(bytes: Uint8Array): unknown {
  try {
    return parseObject(bytes)
  } catch (error) {
    if (Failure.is(error)) return undefined
    throw error
  }
}

/** What nobody knows but who has the administrator's secret (RFC 2104); it does not give that away. */
async function proofOf(env: Env, { collection, document }: Callback): Promise<string> {
  const secret = new TextEncoder().encode(`bus callback ${administratorOf(env).secret}`)
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const text = new TextEncoder().encode(`${collection}/${document}`)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, text)).toHex()
}
