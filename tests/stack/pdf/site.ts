// A web site on this machine that documents of PDF tests load from.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Site {
  url: string
  /** The paths that were requested, in order. */
  visits: string[]
  close(): void
}

/** The handler of each path. */
type Routes = Record<string, RequestListener>

export const content =
  (type: string, body: string | Buffer, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

export const html = (body: string, status = 200) => content('text/html; charset=utf-8', body, status)

export const redirect =
  (location: string): RequestListener =>
  (_, response) =>
    response.writeHead(302, { location }).end()

/** Serves the routes, and 404 at all other paths. */
export async function startSite(routes: Routes): Promise<Site> {
  const visits: string[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    visits.push(request.url!)
    const answer = routes[request.url!] ?? html('not found', 404)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
