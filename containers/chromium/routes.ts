// The HTTP API of the server that prints PDFs: GET /health and POST /pdf.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { authorize } from '../shared/authorize.ts'
import { disconnectSignal, readBody } from '../shared/body.ts'
import { busy, HttpError } from '../shared/http-error.ts'
import { refuse, sendBytes, sendJson } from '../shared/reply.ts'
import { Semaphore } from '../shared/semaphore.ts'
import type { BrowserPool } from './browser/browser-pool.ts'
import { timeoutError } from './print/errors.ts'
import { readOptions } from './print/options.ts'
import { print } from './print/print.ts'
import type { ChromiumSettings } from './settings.ts'

/** Maximum size of a request body in bytes: 16 MB of HTML, as the PDF component allows, and the JSON around it. */
const maxBodyBytes = 17_000_000

/** Shared state of the server. */
interface ServerState {
  settings: ChromiumSettings
  pool: BrowserPool
  semaphore: Semaphore
  /** Number of documents printed. */
  rendered: number
}

type Handler = (request: IncomingMessage, response: ServerResponse, state: ServerState) => Promise<void> | void

/** Path of the health check. It needs no token, so that monitoring works without one. */
const health = '/health'

const routes: Record<string, { method: string; handler: Handler }> = {
  [health]: { method: 'GET', handler: sendHealth },
  '/pdf': { method: 'POST', handler: sendPdf },
}

export function listener(settings: ChromiumSettings, pool: BrowserPool): RequestListener {
  const state = { settings, pool, semaphore: new Semaphore(settings.pages, settings.line), rendered: 0 }
  return async (request, response) => {
    try {
      const pathname = URL.parse(request.url ?? '/', 'http://container')?.pathname ?? ''
      if (pathname !== health) authorize(request, settings.token)
      await find(pathname, request.method ?? '')(request, response, state)
    } catch (error) {
      refuse(response, error)
    } finally {
      // Drains an unread body, so that the connection can be reused.
      request.resume()
    }
  }
}

function sendHealth(_request: IncomingMessage, response: ServerResponse, { pool, semaphore, rendered }: ServerState) {
  const { busy, waiting } = semaphore
  sendJson(response, { browser: pool.current?.version ?? null, busy, waiting, rendered })
}

async function sendPdf(request: IncomingMessage, response: ServerResponse, state: ServerState) {
  const { settings, pool, semaphore } = state
  const gone = disconnectSignal(response)
  // Refuses the request before its large body is read, if the queue is full.
  if (semaphore.isFull) throw busy()
  const options = readOptions(parse(await readBody(request, maxBodyBytes)))
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(timeoutError()), settings.maxSeconds * 1_000)
  const signal = AbortSignal.any([gone, deadline.signal])
  try {
    const pdf = await semaphore.run(signal, () => print(options, pool, settings.maxPdf, signal))
    state.rendered++
    sendBytes(response, 'application/pdf', pdf)
  } finally {
    clearTimeout(timer)
  }
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body.toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // A body that is not JSON becomes undefined, and gets the same error as a value that is not an object.
  }
  throw new HttpError(400, 'invalid_json', 'The body must be a JSON object.')
}

function find(pathname: string, method: string): Handler {
  const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined
  if (!route) throw new HttpError(404, 'not_found', `No route ${pathname}. Use POST /pdf or GET /health.`)
  if (method === route.method || (method === 'HEAD' && route.method === 'GET')) return route.handler
  const headers = { allow: route.method }
  throw new HttpError(405, 'method_not_allowed', `${pathname} does not accept ${method}. Use ${route.method}.`, {
    headers,
  })
}
