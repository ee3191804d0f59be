// Starts SMTP servers for tests inside workerd, which control them over HTTP.
import { json, text } from 'node:stream/consumers'
import type { TestProject } from 'vitest/node'
import type { DnsRecord } from './dkim.ts'
import { serve } from './server.ts'
import { type SmtpBehaviour, startSmtp, type TestSmtp } from './smtp-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Port of the HTTP server with which tests start, inspect and release SMTP servers. */
    smtpPort: number
  }
}

export default async (project: TestProject) => {
  const started = new Map<string, TestSmtp>()
  const tokenRequests = new Map<string, string[]>()
  const server = await serve(async (request, response) => {
    const [, port = '', what] = request.url!.split('/')
    if (port === '') {
      const smtp = await startSmtp((await json(request)) as SmtpBehaviour)
      started.set(String(smtp.port), smtp)
      return response.end(JSON.stringify({ port: smtp.port }))
    }
    const smtp = started.get(port)!
    if (what?.startsWith('token')) {
      // The OAuth token endpoint of the server: `?tokens=` has the tokens of the first, second … request; the last one repeats.
      const requests = tokenRequests.get(port) ?? []
      tokenRequests.set(port, requests)
      const tokens = new URL(request.url!, 'http://any').searchParams.get('tokens')!.split(',')
      const access_token = tokens[Math.min(requests.push(await text(request)), tokens.length) - 1]
      if (!access_token) return response.writeHead(400).end('{"error": "invalid_grant"}')
      return response.end(JSON.stringify({ access_token, expires_in: 3_600 }))
    }
    if (what === 'release') smtp.release()
    if (what === 'disconnect') smtp.disconnect()
    if (what === 'signatures') {
      const { verify } = await import('./dkim.ts')
      return response.end(JSON.stringify(await verify(smtp.mails, (await json(request)) as DnsRecord)))
    }
    const { heard, mails } = smtp
    const tokens = tokenRequests.get(port) ?? []
    response.end(JSON.stringify({ ...heard, mails, held: smtp.held(), tokens }))
  })
  project.provide('smtpPort', server.port)
  return () => {
    for (const smtp of started.values()) smtp.close()
    server.close()
  }
}
