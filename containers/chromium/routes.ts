// Every address of the server: reading this is reading its API.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { authorize } from '../shared/authorize.ts'
import { disconnectSignal, readBody } from '../shared/body.ts'
import { busy, HttpError } from '../shared/http-error.ts'
import { refuse, sendBytes, sendJson } from '../shared/reply.ts'
import { Semaphore } from '../shared/semaphore.ts'
import type { Browsers } from './browser/browsers.ts'
import { readOptions } from './print/options.ts'
import { print } from './print/print.ts'
import { timeout } from './print/refusals.ts'
import type { ChromiumSettings } from './settings.ts'

const mostBytes = 17_000_000

interface Work {
  settings: ChromiumSettings
  browsers: Browsers
  line: Semaphore
  /** Documents made. */
  rendered: number
}

type Answer = (request: IncomingMessage, response: ServerResponse, work: Work) => Promise<void> | void

/** Who watches over the server has no token. */
const health = '/health'

const routes: Record<string, { method: string; answer: Answer }> = {
  [health]: { method: 'GET', answer: sendHealth },
  '/pdf': { method: 'POST', answer: sendPdf },
}

export function listener(settings: ChromiumSettings, browsers: Browsers): RequestListener {
  const work = { settings, browsers, line: new Semaphore(settings.pages, settings.line), rendered: 0 }
  return async (request, response) => {
    try {
      const pathname = URL.parse(request.url ?? '/', 'http://container')?.pathname ?? ''
      if (pathname !== health) authorize(request, settings.token)
      await find(pathname, request.method ?? '')(request, response, work)
    } catch (error) {
      refuse(response, error)
    } finally {
      // What nobody read of a body: the connection is wanted again.
      request.resume()
    }
  }
}

function sendHealth(_request: IncomingMessage, response: ServerResponse, { browsers, line, rendered }: Work) {
  const { busy, waiting } = line
  sendJson(response, { browser: browsers.current?.version ?? null, busy, waiting, rendered })
}

async function sendPdf(request: IncomingMessage, response: ServerResponse, work: Work) {
  const { settings, browsers, line } = work
  const gone = disconnectSignal(response)
  // Before so much is read for nothing.
  if (line.isFull) throw busy()
  const options = readOptions(parse(await readBody(request, mostBytes)))
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(timeout()), settings.maxSeconds * 1_000)
  const signal = AbortSignal.any([gone, late.signal])
  try {
    const pdf = await line.run(signal, () => print(options, browsers, settings.maxPdf, signal))
    work.rendered++
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
    // Refused as what is no object.
  }
  throw new HttpError(400, 'invalid_json', 'The body is no JSON object')
}

function find(pathname: string, method: string): Answer {
  const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined
  if (!route) throw new HttpError(404, 'not_found', 'There is nothing at this address')
  if (method === route.method || (method === 'HEAD' && route.method === 'GET')) return route.answer
  const headers = { allow: route.method }
  throw new HttpError(405, 'method_not_allowed', 'This address takes other methods', { headers })
}
