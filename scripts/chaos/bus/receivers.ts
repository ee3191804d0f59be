// Stand-ins for other systems in a chaos run of the bus: the handler of a collection, and the webhooks of its
// documents. Both record the requests that they get.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../lib/random.ts'
import { jsonOf, type Listening, listen } from '../../lib/server.ts'
import { lastingPort } from '../../stack/port.ts'
import type { HandlerCall, HandlerRequest, WebhookCall } from './record.ts'

/** The data of a document. */
export interface Data {
  number: number
}

export interface HandlerServer extends Listening {
  calls: HandlerCall[]
  /** Simulates a crash: replies 503 for this time, then closes all connections and the port for the same time. */
  crash(milliseconds: number): Promise<void>
}

/** How often each fault occurs: in one document of this number. */
const faults = { slow: 20, refused: 40, slowWebhook: 15, failingWebhook: 60 }

/** Starts the handler. It replies 404 to some documents, which is a final reply that the bus must not retry. */
export async function startHandler(random: Random): Promise<HandlerServer> {
  const calls: HandlerCall[] = []
  let isFailing = false
  const open = new Set<HandlerCall>()

  async function take(request: IncomingMessage, response: ServerResponse) {
    const sent = (await jsonOf(request).catch(() => undefined)) as Handled | undefined
    if (!sent) return
    const { number } = sent.data
    const call: HandlerCall = { number, document: sent.document.id, uuid: sent.uuid }
    calls.push(call)
    open.add(call)
    response.once('close', () => open.delete(call))
    if (number % faults.slow === 7) await pause(random.between(50, 200))
    answer(call, response, isFailing ? 503 : number % faults.refused === 13 ? 404 : 200)
  }

  // Reserves a port, so that no other process gets it while the handler does not listen.
  const port = await lastingPort()
  let server = await listen(take, port)
  return {
    url: server.url,
    calls,
    close: () => server.close(),
    crash: async (milliseconds) => {
      isFailing = true
      await pause(milliseconds)
      for (const call of open) call.status = 503 // The caller may not see a reply, which has the same effect.
      server.close()
      await pause(milliseconds)
      server = await listen(take, port)
      isFailing = false
    },
  }
}

interface Handled {
  uuid: string
  data: Data
  document: { id: number }
}

export interface Webhooks extends Listening {
  calls: WebhookCall[]
  /** Number of requests in progress. */
  open(): number
}

/**
 * Serves a webhook per document, at the path of its number. Some reply 503 to the first request, so that the queue must
 * retry.
 */
export async function startWebhooks(): Promise<Webhooks> {
  const calls: WebhookCall[] = []
  const failed = new Set<number>()
  let open = 0
  const server = await listen(async (request, response) => {
    const sent = (await jsonOf(request).catch(() => undefined)) as WebhookBody | undefined
    if (!sent) return
    const { document, response: answered } = sent.content
    const number = Number(request.url!.slice(1))
    const webhookId = String(request.headers['webhook-id'])
    const call: WebhookCall = { number, document: document.id, webhookId, response: answered }
    calls.push(call)
    open++
    response.once('close', () => open--)
    if (number % faults.slowWebhook === 4) await pause(20)
    const isFirst = number % faults.failingWebhook === 17 && !failed.has(number)
    if (isFirst) failed.add(number)
    answer(call, response, isFirst ? 503 : 200)
  })
  return { ...server, calls, open: () => open }
}

interface WebhookBody {
  content: { document: { id: number }; response: WebhookCall['response'] }
}

function answer(call: HandlerRequest, response: ServerResponse, status: number) {
  if (response.destroyed) return
  call.status = status
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ number: call.number }))
}
