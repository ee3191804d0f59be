// A web site on this machine that documents in tests load from.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

export interface Site {
  url: string
  port: number
  /** The paths that were requested, in order. */
  visits: string[]
}

type Page = (request: IncomingMessage, response: ServerResponse) => void

/** Serves pages by path, texts as HTML, and 404 at other paths. Listens on all addresses of this machine. */
export function useSite(pages: Record<string, string | Page>): Site {
  const site = { visits: [] as string[] } as Site
  let server: Server
  beforeAll(async () => {
    server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
      const path = request.url ?? ''
      site.visits.push(path)
      const page = pages[path.split('?')[0]!]
      if (typeof page === 'function') page(request, response)
      else if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing')
      else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    })
    server.listen(0)
    await once(server, 'listening')
    site.port = (server.address() as AddressInfo).port
    site.url = `http://127.0.0.1:${site.port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return site
}

export const redirect =
  (to: string): Page =>
  (_request, response) =>
    response.writeHead(302, { location: to }).end()
