// The HTTP routes of the media server, for images, frames and transcoding jobs. Checks the token, and finds the handler
// of a request.
import type { IncomingMessage, RequestListener } from 'node:http'
import { authorize } from '../shared/authorize.ts'
import { HttpError, invalid } from '../shared/http-error.ts'
import { refuse, sendJson } from '../shared/reply.ts'
import { Semaphore } from '../shared/semaphore.ts'
import type { Exchange } from './exchange.ts'
import { sendFrame } from './frame-routes.ts'
import { checkImage, convertImage } from './image-routes.ts'
import { beginJob, receiveSource, removeJob, sendPreview, sendResult, showJob } from './job-routes.ts'
import type { JobContext } from './videos/job.ts'
import type { Jobs } from './videos/jobs.ts'

interface Route {
  method: string
  path: RegExp
  answer: (exchange: Exchange) => Promise<void> | void
}

/** Path of the health check. It needs no token, so that monitoring works without one. */
const health = '/health'

/** Number of images, and separately of frames, that are processed at the same time. */
const maxConcurrent = 2
/** Number of images, and of frames, that wait for a free slot. More get 503. */
const maxWaiting = 16

/** Creates the request handler of the server. */
export function listener(context: JobContext, jobs: Jobs): RequestListener {
  const { settings, tools } = context
  const imageSemaphore = new Semaphore(maxConcurrent, maxWaiting)
  const frameSemaphore = new Semaphore(maxConcurrent, maxWaiting)
  const routes = [
    route('GET', health, ({ response }) => sendJson(response, { ffmpeg: tools.kind, jobs: jobs.size })),
    route('POST', '/image', (exchange) => convertImage(exchange, imageSemaphore, settings)),
    route('POST', '/image/check', (exchange) => checkImage(exchange, imageSemaphore, settings)),
    route('POST', '/frame', (exchange) => sendFrame(exchange, frameSemaphore, context)),
    route('PUT', '/jobs/:id', (exchange) => beginJob(exchange, jobs)),
    route('PUT', '/jobs/:id/source', (exchange) => receiveSource(exchange, jobs)),
    route('GET', '/jobs/:id', (exchange) => showJob(exchange, jobs)),
    route('GET', '/jobs/:id/result', (exchange) => sendResult(exchange, jobs)),
    route('GET', '/jobs/:id/preview', (exchange) => sendPreview(exchange, jobs)),
    route('DELETE', '/jobs/:id', (exchange) => removeJob(exchange, jobs)),
  ]
  return async (request, response) => {
    try {
      const { pathname, searchParams: query } = urlOf(request)
      if (pathname !== health) authorize(request, settings.token)
      const { answer, id } = findRoute(routes, request.method ?? '', pathname)
      await answer({ request, response, query, id })
    } catch (error) {
      refuse(response, error)
    } finally {
      // Discards the rest of the body, so that the connection can be reused.
      request.resume()
    }
  }
}

const route = (method: string, path: string, answer: Route['answer']): Route => ({
  method,
  path: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
  answer,
})

function urlOf({ url = '/' }: IncomingMessage): URL {
  const parsed = URL.parse(url, 'http://container')
  if (parsed) return parsed
  throw new HttpError(404, 'not_found', 'No route has this path')
}

function findRoute(routes: Route[], method: string, pathname: string) {
  const candidates = routes.filter(({ path }) => path.test(pathname))
  if (candidates.length === 0) throw new HttpError(404, 'not_found', 'No route has this path')
  const route = candidates.find((one) => one.method === method || (one.method === 'GET' && method === 'HEAD'))
  const allow = candidates.map((one) => one.method).join(', ')
  if (!route)
    throw new HttpError(405, 'method_not_allowed', `This path does not support ${method}`, { headers: { allow } })
  const [, id] = route.path.exec(pathname)!
  if (id !== undefined && !isId(id)) throw invalid('id')
  return { answer: route.answer, id: id ?? '' }
}

/**
 * Whether a text may be the id of a job, which callers choose. `.` and `..` cannot occur here: URL parsing resolves
 * them.
 */
const isId = (text: string) => /^[\w.-]{1,100}$/.test(text)
