// The HTTP server that components call in tests. The path says how it replies.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { TestProject } from 'vitest/node'
import { behaviours as pages } from './pages.ts'
import { serve } from './server.ts'
import { textOf } from './text-of.ts'
import { behaviours as visits } from './visits.ts'

declare module 'vitest' {
  interface ProvidedContext {
    targetPort: number
    /** Port of the same server on `::1`; `null` if the machine has no IPv6 loopback. */
    ipv6TargetPort: number | null
  }
}

const behaviours: Record<string, (url: URL, request: IncomingMessage, response: ServerResponse) => unknown> = {
  '/echo': async ({ pathname, search }, request, response) => {
    const { method, headers } = request
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ method, path: pathname, search, headers, body: await textOf(request) }))
  },
  '/redirect': ({ searchParams }, _, response) =>
    response.writeHead(Number(searchParams.get('status') ?? 302), { location: searchParams.get('to')! }).end(),
  '/circle': (_, __, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/never': () => undefined,
  '/cut': (_, __, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('half')
    setImmediate(() => response.destroy())
  },
  /** Closes the connection without a reply. */
  '/hangs-up': (_, __, response) => response.destroy(),
  /** Replies with bytes that are not HTTP. */
  '/garbage': (_, __, response) => response.socket!.end('garbage\r\n\r\n'),
  '/stalls': (_, __, response) => {
    response.write('half')
  },
  '/large': ({ searchParams }, _, response) => response.end((searchParams.get('begins') ?? '') + 'x'.repeat(100_000)),
  '/chunks': (_, __, response) => {
    response.write('one,')
    setImmediate(() => response.end('two'))
  },
  '/empty': ({ searchParams }, _, response) => response.writeHead(Number(searchParams.get('status'))).end(),
  '/list': async (_, request, response) => {
    const { authorization } = request.headers
    response.end(JSON.stringify({ status: true, content: { limit: 1, authorization } }))
  },
  '/no-json': (_, __, response) => response.end('<p>'),
  ...visits,
  ...pages,
}

function answer(request: IncomingMessage, response: ServerResponse): unknown {
  const url = new URL(request.url!, 'http://target')
  const behaviour = behaviours[url.pathname]
  return behaviour ? behaviour(url, request, response) : response.writeHead(404).end()
}

export default async (project: TestProject) => {
  const server = await serve(answer)
  project.provide('targetPort', server.port)
  const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
  const ipv6Server = hasIpv6 ? await serve(answer, '::1') : null
  project.provide('ipv6TargetPort', ipv6Server?.port ?? null)
  return () => {
    server.close()
    ipv6Server?.close()
  }
}
