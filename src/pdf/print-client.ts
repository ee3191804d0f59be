// Sends print jobs to the Chromium container, and maps its error replies to the errors of the component.
import { type Failure, invalid, notConfigured } from '#core/failure'
import { containerStartSeconds } from '#core/outgoing/container'
import type { Env } from './bindings.ts'
import { requireContainer, unavailable } from './container.ts'
import { ContainerError } from './contract.ts'
import { failure } from './errors.ts'
import { jobStream, type PrintJob } from './job.ts'

/** A printed document, streamed from the container. */
export interface PrintedPdf {
  body: ReadableStream<Uint8Array>
  /** Size in bytes. */
  size: number
}

/** Time until the response headers arrive: the container's 30 seconds for a document, plus its start. */
const responseTimeoutMs = 45_000

/**
 * Prints a document in the container. Throws `link_failed` if the link does not return HTML, `browser_timeout` if printing
 * takes too long, and `unavailable` if the container is down or full.
 */
export async function printDocument(env: Env, job: PrintJob): Promise<PrintedPdf> {
  const container = requireContainer(env)
  const controller = new AbortController()
  const { signal } = controller
  // The timeout covers the response headers only: the caller may read the body slowly.
  const timer = setTimeout(() => controller.abort(), responseTimeoutMs)
  try {
    const headers = { 'content-type': 'application/json' }
    const body = jobStream(job)
    return await printedFrom(await container.fetch('/pdf', { method: 'POST', headers, body, signal }))
  } catch (error) {
    throw signal.aborted ? timeoutFailure() : error
  } finally {
    clearTimeout(timer)
  }
}

async function printedFrom(response: Response): Promise<PrintedPdf> {
  const { headers, body } = response
  const size = Number(headers.get('content-length'))
  if (response.status === 200 && body && size > 0 && headers.get('content-type') === 'application/pdf')
    return { body: withKnownLength(size, body), size }
  throw failureOf(response.status, headers, await errorBodyOf(response))
}

/** Passes a body through a stream of a known length, which R2 requires and which gives the reply its Content-Length. */
function withKnownLength(size: number, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(size)
  // The reader of `readable` gets the error of a broken transfer, so that it needs no handling here.
  body.pipeTo(writable).catch(() => undefined)
  return readable
}

/** The container's error body; undefined if the reply is not from the container's server but from the platform, which sends no such JSON. */
async function errorBodyOf(response: Response) {
  const text = await response.text()
  try {
    return ContainerError.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const timeoutFailure = () => failure('browser_timeout')

function failureOf(status: number, headers: Headers, error: ContainerError | undefined): Failure {
  switch (`${status} ${error?.status_code}`) {
    case '400 validation_failed':
      return parameterFailure(error!.message)
    case '413 payload_too_large':
      return failure('payload_too_large', 'The document is too large to be printed.')
    case '422 too_large':
      return failure('pdf_too_large')
    case '502 link_failed':
      return failure('link_failed', error!.message)
    case '502 crashed':
      return failure('browser_failed', 'The document made the browser crash twice.')
    case '503 not_configured':
      return notConfigured(error!.message)
    case '504 timeout':
      return timeoutFailure()
    default:
      return containerFailure(status, headers)
  }
}

/** Errors that only the container can detect: an invalid selector, or pages that the document does not have. */
function parameterFailure(message: string): Failure {
  const [, name] = /^The parameter "(\w+)" is not valid$/.exec(message) ?? []
  return name ? invalid(name, 'Is not valid for this document') : failure('validation_failed', message)
}

/** Any other status: the container is starting, full, has another token, or is broken. */
function containerFailure(status: number, headers: Headers): Failure {
  const cause = new Error(`The Chromium container answered ${status}`)
  if (status === 503) return unavailable(undefined, Number(headers.get('retry-after')) || containerStartSeconds)
  if (status === 401) return unavailable(cause)
  return failure('browser_failed', 'The browser failed.', { cause })
}
