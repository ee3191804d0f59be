import { type Failure, invalid, notConfigured } from '#core/failure'
import { containerStartSeconds } from '#core/outgoing/container'
import type { Env } from './bindings.ts'
import { requireContainer, unavailable } from './container.ts'
import { Refused } from './contract.ts'
import { failure } from './errors.ts'
import { type PrintJob, streamOf } from './job.ts'

/** A document, as it comes from the container. */
export interface Printed {
  body: ReadableStream<Uint8Array>
  /** Bytes. */
  size: number
}

/** Milliseconds until the answer begins: longer than the container gives itself for a document, with its own start. */
const patience = 45_000

/**
 * Has a document printed. Refuses with `link_failed` what the link does not give, with `browser_timeout` what takes longer
 * than the container waits, with `unavailable` what it has no room for.
 */
export async function printDocument(env: Env, job: PrintJob): Promise<Printed> {
  const container = requireContainer(env)
  const controller = new AbortController()
  const { signal } = controller
  // For the answer's head alone: a reader may take its time.
  const timer = setTimeout(() => controller.abort(), patience)
  try {
    const headers = { 'content-type': 'application/json' }
    const body = streamOf(job)
    return await printedBy(await container.fetch('/pdf', { method: 'POST', headers, body, signal }))
  } catch (error) {
    throw signal.aborted ? tooLate() : error
  } finally {
    clearTimeout(timer)
  }
}

async function printedBy(response: Response): Promise<Printed> {
  const { headers, body } = response
  const size = Number(headers.get('content-length'))
  if (response.status === 200 && body && size > 0 && headers.get('content-type') === 'application/pdf')
    return { body: ofLength(size, body), size }
  throw refusalOf(response.status, headers, await refusedIn(response))
}

/** The same bytes; R2 and the reply want to know before how many there are, which not every way here tells them. */
function ofLength(size: number, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(size)
  // Whoever reads learns of it.
  body.pipeTo(writable).catch(() => undefined)
  return readable
}

/** What the container says, where it is the one that speaks. */
async function refusedIn(response: Response) {
  const text = await response.text()
  try {
    return Refused.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const tooLate = () => failure('browser_timeout')

function refusalOf(status: number, headers: Headers, refused: Refused | undefined): Failure {
  switch (`${status} ${refused?.status_code}`) {
    case '400 validation_failed':
      return wrong(refused!.message)
    case '413 payload_too_large':
      return failure('payload_too_large', 'The document is too large to be printed.')
    case '422 too_large':
      return failure('pdf_too_large')
    case '502 link_failed':
      return failure('link_failed', refused!.message)
    case '502 crashed':
      return failure('browser_failed', 'The document made the browser crash twice.')
    case '503 not_configured':
      return notConfigured(refused!.message)
    case '504 timeout':
      return tooLate()
    default:
      return strange(status, headers)
  }
}

/** What it alone can find wrong: a selector that is none, pages that the document does not have. */
function wrong(message: string): Failure {
  const [, name] = /^The parameter "(\w+)" is not valid$/.exec(message) ?? []
  return name ? invalid(name, 'Is not valid for this document') : failure('validation_failed', message)
}

/** What only a container answers that is starting, full, not ours, or broken. */
function strange(status: number, headers: Headers): Failure {
  const cause = new Error(`The Chromium container answered ${status}`)
  if (status === 503) return unavailable(undefined, Number(headers.get('retry-after')) || containerStartSeconds)
  if (status === 401) return unavailable(cause)
  return failure('browser_failed', 'The browser failed.', { cause })
}
