// Sends the documents of a chaos run to the bus, and retries while the stack is killed.
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
  if (status !== 201) throw new Error(`Creating the collection failed: ${text}`)
}

export interface SendOptions {
  url: string
  webhooks: string
  size: number
  /** Approximate number of documents whose webhook was called, by which the client limits how far it is ahead. */
  done(): number
  onErrorReply(line: string): void
}

/**
 * Maximum number of documents sent ahead of their webhooks. With more, all callers would be done early, and later kills
 * would hit webhooks only.
 */
const maxAhead = 60

/** Sends documents from eight concurrent callers. Each document is retried with its uuid until the bus replies 201. */
export async function send({ url, webhooks, size, done, onErrorReply }: SendOptions): Promise<SentDocument[]> {
  const sent: SentDocument[] = Array.from({ length: size }, (_, number) => ({ number, uuid: randomUUID(), ids: [] }))
  let next = 0
  const caller = async () => {
    for (let one = sent[next++]; one; one = sent[next++]) {
      const { number, uuid } = one
      while (number > done() + maxAhead) await pause(5)
      const webhook = `${webhooks}/${number}`
      const body = JSON.stringify({ collection, event: 'made', uuid, data: { number }, webhook })
      one.ids.push(await sendOne(`${url}/bus/document`, body, onErrorReply))
    }
  }
  await Promise.all(Array.from({ length: 8 }, caller))
  return sent
}

async function sendOne(url: string, body: string, onErrorReply: SendOptions['onErrorReply']): Promise<number> {
  for (;;) {
    const reply = await ask<{ document: { id: number } }>(url, { method: 'POST', body }).catch(() => undefined)
    if (reply?.status === 201) return reply.content.document.id
    if (reply) onErrorReply(`${reply.status} ${reply.text}`)
    await pause(50)
  }
}

/** Number of documents in the collection. */
export async function countStored(url: string): Promise<number> {
  const query = new URLSearchParams({ collection })
  return (await ask<{ documents: number }>(`${url}/bus/documents/count?${query}`, {})).content.documents
}
