// Every address of the server: reading this is reading its API.
import type { IncomingMessage, RequestListener } from 'node:http'
import { authorize } from '../shared/authorize.ts'
import { HttpError, invalid } from '../shared/http-error.ts'
import { refuse, sendJson } from '../shared/reply.ts'
import { Semaphore } from '../shared/semaphore.ts'
import type { Exchange } from './exchange.ts'
import { takeFrame } from './frame-routes.ts'
import { checkImage, convertImage } from './image-routes.ts'
import { beginJob, receiveSource, removeJob, sendPreview, sendResult, showJob } from './job-routes.ts'
import type { JobContext } from './videos/job.ts'
import type { Jobs } from './videos/jobs.ts'

interface Route {
  method: string
  path: RegExp
  answer: (exchange: Exchange) => Promise<void> | void
}

/** Who watches over the server has no token. */
const health = '/health'

/** Pictures and frames that are worked on at a time, and that wait for it. */
const [places, length] = [2, 16]

export function listener(place: JobContext, jobs: Jobs): RequestListener {
  const { settings, tools } = place
  const pictures = new Semaphore(places, length)
  const frames = new Semaphore(places, length)
  const routes = [
    route('GET', health, ({ response }) => sendJson(response, { ffmpeg: tools.kind, jobs: jobs.size })),
    route('POST', '/image', (exchange) => convertImage(exchange, pictures, settings)),
    route('POST', '/image/check', (exchange) => checkImage(exchange, pictures, settings)),
    route('POST', '/frame', (exchange) => takeFrame(exchange, frames, place)),
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
      // What nobody read of a body: the connection is wanted again.
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
  throw new HttpError(404, 'not_found', 'There is nothing at this address')
}

function findRoute(routes: Route[], method: string, pathname: string) {
  const here = routes.filter(({ path }) => path.test(pathname))
  if (here.length === 0) throw new HttpError(404, 'not_found', 'There is nothing at this address')
  const route = here.find((one) => one.method === method || (one.method === 'GET' && method === 'HEAD'))
  const allow = here.map((one) => one.method).join(', ')
  if (!route) throw new HttpError(405, 'method_not_allowed', 'This address takes other methods', { headers: { allow } })
  const [, id] = route.path.exec(pathname)!
  if (id !== undefined && !isId(id)) throw invalid('id')
  return { answer: route.answer, id: id ?? '' }
}

/** As the caller names its videos. That `.` and `..` never get here is what an address is. */
const isId = (text: string) => /^[\w.-]{1,100}$/.test(text)
