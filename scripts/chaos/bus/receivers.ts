// The handler of a collection and the webhooks of its documents, both recording what reaches them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../lib/random.ts'
import { jsonOf, type Listening, listen } from '../../lib/server.ts'
import { lastingPort } from '../../stack/port.ts'
import type { HandlerCall, HandlerRequest, WebhookCall } from './record.ts'

/** What a document's data is. */
export interface Data {
  number: number
}

export interface HandlerServer extends Listening {
  calls: HandlerCall[]
  /** Fails for so many milliseconds, then closes all connections, and listens again after as many. */
  die(milliseconds: number): Promise<void>
}

/** How many documents each fault is for: one of so many. */
const faults = { slow: 20, refused: 40, slowWebhook: 15, deafWebhook: 60 }

/** It refuses some documents for good, which is an answer too. */
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

  // Of those that nobody else gets while it does not listen.
  const port = await lastingPort()
  let server = await listen(take, port)
  return {
    url: server.url,
    calls,
    close: () => server.close(),
    die: async (milliseconds) => {
      isFailing = true
      await pause(milliseconds)
      for (const call of open) call.status = 503 // As good as.
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
  /** How many requests are open. */
  open(): number
}

/** One for each document, at its number; some answer 503 to the first request. */
export async function startWebhooks(): Promise<Webhooks> {
  const calls: WebhookCall[] = []
  const failed = new Set<number>()
  let open = 0
  const server = await listen(async (request, response) => {
    const told = (await jsonOf(request).catch(() => undefined)) as Told | undefined
    if (!told) return
    const { document, response: answered } = told.content
    const number = Number(request.url!.slice(1))
    const webhookId = String(request.headers['webhook-id'])
    const call: WebhookCall = { number, document: document.id, webhookId, response: answered }
    calls.push(call)
    open++
    response.once('close', () => open--)
    if (number % faults.slowWebhook === 4) await pause(20)
    const isFirst = number % faults.deafWebhook === 17 && !failed.has(number)
    if (isFirst) failed.add(number)
    answer(call, response, isFirst ? 503 : 200)
  })
  return { ...server, calls, open: () => open }
}

interface Told {
  content: { document: { id: number }; response: WebhookCall['response'] }
}

function answer(call: HandlerRequest, response: ServerResponse, status: number) {
  if (response.destroyed) return
  call.status = status
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ number: call.number }))
}
