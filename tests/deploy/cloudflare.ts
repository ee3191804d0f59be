// A strict fake of Cloudflare's API for tests of the deployment. It is also the proxy of the deployment, so that
// requests to any other host are caught.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accountId, openAccount, Refusal, uploadToken } from './account.ts'

const token = 'the-token-of-the-tests'

export type Cloudflare = Awaited<ReturnType<typeof serveCloudflare>>

export async function serveCloudflare() {
  const account = openAccount()
  const calls: string[] = []
  const unexpectedRequests: string[] = []
  /** Faults that a test sets: the call to reject, and a function that replaces the reply to a successful call. */
  const fate: { refused?: string; cut?: { call: string; by: () => void } | undefined } = {}

  const reply = async (request: IncomingMessage, call: string, path: string[], query: URLSearchParams) => {
    // An upload session of static files has its own token.
    const expected = path.join('/') === 'workers/assets/upload' ? uploadToken : token
    if (request.headers.authorization !== `Bearer ${expected}`) throw new Refusal(401, 10000, 'Authentication error')
    const serve = Object.entries(account.routes).find(([route]) => isRoute(route, request.method!, path))?.[1]
    if (!serve) throw new Error('an unknown call')
    if (fate.refused === call) throw new Refusal(400, 7000, 'The test refuses')
    return serve({ path, query, type: request.headers['content-type'] ?? '', body: await read(request) })
  }

  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
    const path = pathname.replace(`/client/v4/accounts/${accountId}/`, '').split('/')
    const call = `${request.method} ${path.join('/').replace(/[0-9a-f-]{36}/, '*')}`
    calls.push(call)
    const send = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    try {
      const result = await reply(request, call, path, searchParams)
      if (fate.cut?.call === call) {
        fate.cut.by()
        fate.cut = undefined
        return
      }
      send(200, { success: true, errors: [], messages: [], result: result ?? null })
    } catch (error) {
      const { status = 400, code = 1, message } = error as Refusal
      if (!(error instanceof Refusal)) unexpectedRequests.push(`${call}: ${message}`)
      send(status, { success: false, errors: [{ code, message }], messages: [], result: null })
    }
  })
  server.on('connect', ({ url }, socket) => {
    unexpectedRequests.push(`a connection to ${url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    ...account,
    calls,
    unexpectedRequests,
    fate,
    /** Environment variables with which a process calls this fake API and nothing else. */
    env: {
      CLOUDFLARE_API_BASE_URL: `${origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: accountId,
      HTTP_PROXY: origin,
      HTTPS_PROXY: origin,
      NO_PROXY: '127.0.0.1',
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

function isRoute(route: string, method: string, path: string[]) {
  const [verb, pattern] = route.split(' ')
  const parts = pattern!.split('/')
  return verb === method && parts.length === path.length && parts.every((part, at) => part === '*' || part === path[at])
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
