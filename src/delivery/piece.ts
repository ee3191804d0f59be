// Handles the queue's call for a piece of the range, `POST /piece`: fetches a page of recipients from `data_url` and streams it
// to the delivery's ledger.
import { Failure } from '#core/failure'
import { parseJson } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { requestIdHeaders } from '#core/http/request-id'
import { stream } from '#core/outgoing/stream'
import type { Env } from './bindings.ts'
import type { PieceCall } from './contract/internal.ts'
import { dataTimeout } from './env.ts'
import { failure } from './errors.ts'
import type { PageAttempt, PageLease, StagedRecipient } from './ledger/pages.ts'
import type { Ledger } from './ledger.ts'
import { pageError, recipientsIn } from './page.ts'
import { stageRecipient } from './recipients.ts'

const maxPageBytes = 20_000_000
const maxPageRecipients = 10_000

/** Maximum number of recipients in one call to the ledger, and of their characters. */
const batchLimit = { recipients: 500, characters: 500_000 }

type FetchLease = Extract<PageLease, { state: 'fetch' }>

/**
 * Fetches the page of recipients of a piece and gives it to the ledger, which queues the messages. Throws 502 if `data_url`
 * failed, and 503 if the piece is being fetched or is not due yet, both with `Retry-After`: the queue then calls again. Does
 * nothing if the ledger does not know the piece or no longer needs it.
 */
export async function fetchPiece(
  env: Env,
  { ledger: name, _min: min, _max: max, _gap: gap }: PieceCall,
): Promise<void> {
  const ledger = env.LEDGER.getByName(name)
  const idleTimeoutMs = dataTimeout(env)
  const timeoutMs = 2 * idleTimeoutMs
  const lease = await ledger.beginPage({ min, max, gap }, timeoutMs + 5_000)
  if (lease.state === 'over') return
  if (lease.state === 'later')
    throw failure('piece_busy', undefined, {
      retryAfter: lease.wait / 1_000,
    })
  const attempt = { piece: min, attempt: lease.attempt }
  let hasReplied = false
  try {
    const json = { ...parseObject(lease.filters), _min: min, _max: max, _gap: gap }
    const response = await stream(
      env,
      { method: 'GET', url: lease.data_url, json, headers: { accept: 'application/json', ...requestIdHeaders() } },
      { idle: idleTimeoutMs, timeout: timeoutMs, most: maxPageBytes },
    )
    hasReplied = response.status >= 200 && response.status <= 299
    if (!hasReplied) {
      response.cancel()
      throw pageError(`http_${response.status}`, `The data_url replied with ${response.status}`)
    }
    const count = await stage(ledger, name, attempt, lease, response.chunks)
    if (count !== undefined) await ledger.commitPage(attempt, count)
  } catch (error) {
    await fail(ledger, attempt, error, isDown(error, hasReplied))
  }
}

const parseObject = (text: string) => parseJson(text) as Record<string, unknown>

/**
 * Streams a page to the ledger in batches. Returns the number of recipients, or undefined if the ledger no longer needs the
 * page.
 */
async function stage(
  ledger: DurableObjectStub<Ledger>,
  name: string,
  attempt: PageAttempt,
  { channels }: FetchLease,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number | undefined> {
  let staged: StagedRecipient[] = []
  let characters = 0
  let place = 0
  const flush = async () => {
    const kept = staged.length === 0 ? 'kept' : await ledger.stagePage(attempt, staged)
    staged = []
    characters = 0
    if (kept === 'full') throw pageError('ledger_full', 'The ledger of the delivery is full')
    return kept === 'kept'
  }
  for await (const recipient of recipientsIn(chunks)) {
    if (place === maxPageRecipients)
      throw pageError('too_many_recipients', `A page has at most ${maxPageRecipients} recipients`)
    const recipientRow = stageRecipient(recipient, place++, channels, name)
    staged.push(recipientRow)
    characters += recipientRow.data.length
    const isFull = staged.length >= batchLimit.recipients || characters >= batchLimit.characters
    if (isFull && !(await flush())) return undefined
  }
  return (await flush()) ? place : undefined
}

/** Records a failed attempt. Throws 502, so that the queue calls again, unless this was the last attempt of the piece. */
async function fail(
  ledger: DurableObjectStub<Ledger>,
  attempt: PageAttempt,
  error: unknown,
  isDown: boolean,
): Promise<void> {
  if (!Failure.is(error)) log('error', { component: 'delivery', route: '/piece', ...describe(error) })
  const wait = await ledger.failPage(attempt, reasonOf(error), isDown)
  if (wait === undefined) return
  throw failure('data_url_failed', undefined, {
    retryAfter: wait / 1_000,
    ...(Failure.is(error) && { cause: error.cause }),
  })
}

/**
 * Statuses other than 5xx with which the source of recipients says that it is down. Any other invalid reply concerns one piece.
 */
const downStatuses = new Set(['http_408', 'http_425', 'http_429'])

/**
 * Whether the source of recipients is down: unreachable, silent, or replying so. A page that breaks off after its beginning
 * does not count: only this piece may be the cause.
 */
function isDown(error: unknown, hasReplied: boolean): boolean {
  const reason = reasonOf(error)
  // An `unreachable` error without a cause is an invalid redirect, which concerns this piece only.
  if (reason === 'unreachable') return !hasReplied && Failure.is(error) && error.cause !== undefined
  return reason === 'timeout' || downStatuses.has(reason) || /^http_5\d\d$/.test(reason)
}

function reasonOf(error: unknown): string {
  if (!Failure.is(error)) return 'interrupted'
  if (error.status === 504) return 'timeout'
  return error.code === 'upstream_failed' ? 'unreachable' : error.code
}
