// The bus as its callers use it, while it may die at any moment.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SentDocument } from './record.ts'

export const secret = 'the administrator of a chaos run'.replaceAll(' ', '-')
const collection = 'chaos'

async function ask<Content>(
  url: string,
  init: RequestInit,
): Promise<{ status: number; content: Content; text: string }> {
  const reply = await fetch(url, { ...init, headers: { 'api-secret': secret }, signal: AbortSignal.timeout(30_000) })
  const text = await reply.text()
  return { status: reply.status, content: (JSON.parse(text) as { content: Content }).content, text }
}

export async function createCollection(url: string, handler: string): Promise<void> {
  const body = JSON.stringify({ name: collection, type: 'async', handler })
  const { status, text } = await ask(`${url}/bus/collection`, { method: 'POST', body })
  if (status !== 201) throw new Error(`The collection was refused: ${text}`)
}

export interface SendingOptions {
  url: string
  webhooks: string
  size: number
  /** How many documents have reached their webhooks, or about that. */
  done(): number
  onRefusal(line: string): void
}

/** How far the callers go ahead of the webhooks, so that kills come while documents are sent and not only afterwards. */
const ahead = 60

/** Sends so many documents by a few callers at once, each with its uuid until it is answered. */
export async function send({ url, webhooks, size, done, onRefusal }: SendingOptions): Promise<SentDocument[]> {
  const sent: SentDocument[] = Array.from({ length: size }, (_, number) => ({ number, uuid: randomUUID(), ids: [] }))
  let next = 0
  const caller = async () => {
    for (let one = sent[next++]; one; one = sent[next++]) {
      const { number, uuid } = one
      while (number > done() + ahead) await pause(5)
      const webhook = `${webhooks}/${number}`
      const body = JSON.stringify({ collection, event: 'made', uuid, data: { number }, webhook })
      one.ids.push(await sendOne(`${url}/bus/document`, body, onRefusal))
    }
  }
  await Promise.all(Array.from({ length: 8 }, caller))
  return sent
}

async function sendOne(url: string, body: string, onRefusal: SendingOptions['onRefusal']): Promise<number> {
  for (;;) {
    const reply = await ask<{ document: { id: number } }>(url, { method: 'POST', body }).catch(() => undefined)
    if (reply?.status === 201) return reply.content.document.id
    if (reply) onRefusal(`${reply.status} ${reply.text}`)
    await pause(50)
  }
}

/** How many documents there are. */
export async function countStored(url: string): Promise<number> {
  const query = new URLSearchParams({ collection })
  return (await ask<{ documents: number }>(`${url}/bus/documents/count?${query}`, {})).content.documents
}
