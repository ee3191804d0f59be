import { Failure } from '#core/failure'
import { parseJson } from '#core/http/json'
import { describe, log } from '#core/http/log'
import { requestIdHeaders } from '#core/http/request-id'
import { stream } from '#core/outgoing/stream'
import type { Env } from './bindings.ts'
import type { PieceCall } from './contract/internal.ts'
import { dataTimeout } from './env.ts'
import { failure } from './errors.ts'
import type { Attempt, Begun, Staged } from './ledger/pages.ts'
import type { Ledger } from './ledger.ts'
import { badPage, recipientsIn } from './page.ts'
import { stagedOf } from './recipients.ts'

/** What a page may have at the most. */
const most = { bytes: 20_000_000, recipients: 10_000 }

/** How many recipients, and how many characters of them, are handed to the ledger at once. */
const batch = { recipients: 500, characters: 500_000 }

type Fetch = Extract<Begun, { state: 'fetch' }>

/**
 * Fetches the page of a piece, and has the ledger put in line what is to be sent. The queue is answered with a refusal where
 * it is to come again: `Retry-After` says when. Of what is over, or of nobody knows what, nothing is done.
 */
export async function fetchPiece(
  env: Env,
  { ledger: name, _min: min, _max: max, _gap: gap }: PieceCall,
): Promise<void> {
  const ledger = env.LEDGER.getByName(name)
  const idle = dataTimeout(env)
  const timeout = 2 * idle
  const begun = await ledger.beginPage({ min, max, gap }, timeout + 5_000)
  if (begun.state === 'over') return
  if (begun.state === 'later')
    throw failure('piece_busy', undefined, {
      retryAfter: begun.wait / 1_000,
    })
  const attempt = { piece: min, attempt: begun.attempt }
  let isAnswered = false
  try {
    const json = { ...parseObject(begun.filters), _min: min, _max: max, _gap: gap }
    const answer = await stream(
      env,
      { method: 'GET', url: begun.data_url, json, headers: { accept: 'application/json', ...requestIdHeaders() } },
      { idle, timeout, most: most.bytes },
    )
    isAnswered = answer.status >= 200 && answer.status <= 299
    if (!isAnswered) {
      answer.cancel()
      throw badPage(`http_${answer.status}`, `The data_url answered with ${answer.status}`)
    }
    const count = await stage(ledger, name, attempt, begun, answer.chunks)
    if (count !== undefined) await ledger.commitPage(attempt, count)
  } catch (error) {
    await fail(ledger, attempt, error, isDown(error, isAnswered))
  }
}

const parseObject = (text: string) => parseJson(text) as Record<string, unknown>

/** Hands a page to the ledger as it comes; how many recipients it has, or nothing where nobody wants them any more. */
async function stage(
  ledger: DurableObjectStub<Ledger>,
  name: string,
  attempt: Attempt,
  { channels }: Fetch,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number | undefined> {
  let staged: Staged[] = []
  let characters = 0
  let place = 0
  const flush = async () => {
    const kept = staged.length === 0 ? 'kept' : await ledger.stagePage(attempt, staged)
    staged = []
    characters = 0
    if (kept === 'full') throw badPage('ledger_full', 'The delivery has more recipients than it can keep')
    return kept === 'kept'
  }
  for await (const recipient of recipientsIn(chunks)) {
    if (place === most.recipients)
      throw badPage('too_many_recipients', `A page has at most ${most.recipients} recipients`)
    const one = stagedOf(recipient, place++, channels, name)
    staged.push(one)
    characters += one.data.length
    const isFull = staged.length >= batch.recipients || characters >= batch.characters
    if (isFull && !(await flush())) return undefined
  }
  return (await flush()) ? place : undefined
}

/** Counts a try that has failed; refuses, so that the queue comes again, unless it was the last one. */
async function fail(
  ledger: DurableObjectStub<Ledger>,
  attempt: Attempt,
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

/** Answers of a source that is down for now; any other bad answer is the piece's. */
const downStatuses = new Set(['http_408', 'http_425', 'http_429'])

/** Whether the source of recipients is down: it cannot be reached, is silent, or says so. A page that breaks off is not. */
function isDown(error: unknown, isAnswered: boolean): boolean {
  const reason = reasonOf(error)
  // A chain of redirects that leads nowhere has no cause.
  if (reason === 'unreachable') return !isAnswered && Failure.is(error) && error.cause !== undefined
  return reason === 'timeout' || downStatuses.has(reason) || /^http_5\d\d$/.test(reason)
}

function reasonOf(error: unknown): string {
  if (!Failure.is(error)) return 'interrupted'
  if (error.status === 504) return 'timeout'
  return error.code === 'upstream_failed' ? 'unreachable' : error.code
}
