// Stand-in for the operator in a chaos run of the payments: checks accounts and takes webhooks. Some webhooks are slow,
// and some fail the first time.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Listening, listen } from '../../lib/server.ts'
import type { ReceivedWebhook } from './record.ts'

export interface Operator extends Listening {
  webhooks: ReceivedWebhook[]
  /** Number of requests in progress. */
  open(): number
  /** Number of payments whose webhook the operator acknowledged. */
  acknowledged(): number
}

/** How often each fault occurs: in one payment of this number. */
const faults = { slow: 15, failing: 60 }

export async function startOperator(): Promise<Operator> {
  const webhooks: ReceivedWebhook[] = []
  const failed = new Set<string>()
  const acknowledged = new Set<string>()
  let open = 0

  async function take(request: IncomingMessage, response: ServerResponse) {
    const body = await textOf(request).catch(() => undefined)
    if (body === undefined) return
    const one: ReceivedWebhook = {
      ...JSON.parse(body),
      webhookId: String(request.headers['webhook-id']),
      body,
      began: Date.now(),
    }
    webhooks.push(one)
    const number = Number(one.code)
    if (number % faults.slow === 4) await pause(20)
    const isFirst = number % faults.failing === 17 && !failed.has(one.code)
    failed.add(one.code)
    if (response.destroyed) return
    one.status = isFirst ? 503 : 200
    if (one.status === 200) acknowledged.add(one.code)
    response.writeHead(one.status).end()
  }

  const server = await listen(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://operator')
    open++
    response.once('close', () => open--)
    if (pathname === '/payment') return take(request, response)
    response.writeHead(searchParams.get('account')!.startsWith('unknown') ? 404 : 200).end()
  })
  return { ...server, webhooks, open: () => open, acknowledged: () => acknowledged.size }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
