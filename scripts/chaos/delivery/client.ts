// Starts, pauses and reads the delivery of a chaos run, and retries while the stack is killed.
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveryProgress, DeliveryRun, FailedItem } from './record.ts'
import { gap } from './source.ts'

interface Reply<Content> {
  status: number
  content: Content
  text: string
}

async function ask<Content>(method: string, url: string, body?: object): Promise<Reply<Content>> {
  const init = { method, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(30_000) }
  const reply = await fetch(url, init)
  const text = await reply.text()
  return { status: reply.status, content: (JSON.parse(text) as { content: Content }).content, text }
}

export class DeliveryClient {
  readonly errorReplies: string[] = []
  readonly progress: number[] = []
  #id = 0
  #read = Promise.resolve<DeliveryProgress | undefined>(undefined)
  readonly #url: string

  constructor(url: string) {
    this.#url = `${url}/delivery`
  }

  async start(data_url: string, size: number): Promise<void> {
    const { status, text, content } = await ask<{ delivery: { id: number } }>('POST', `${this.#url}/delivery`, {
      ...{
        name: 'ChaosModule',
        min: 1,
        max: size,
        gap,
        has_email: true,
        has_sms: true,
        data_url,
        filters: { run: 'chaos' },
      },
      email_subject: { en: 'News for {{ name }}', ru: 'Новости для {{ name }}' },
      email_html: { en: '<p>Dear {{ name }}</p>', kk: '<p>Құрметті {{ name }}</p>' },
      sms_message: { en: 'Hi {{ name }}' },
    })
    if (status !== 200) throw new Error(`Creating the delivery failed: ${text}`)
    this.#id = content.delivery.id
  }

  /**
   * Reads the delivery, or returns undefined if the call fails. Concurrent reads run one after the other, so that their
   * results are in order.
   */
  read(): Promise<DeliveryProgress | undefined> {
    this.#read = this.#read.then(() => this.#readNext())
    return this.#read
  }

  async #readNext(): Promise<DeliveryProgress | undefined> {
    const reply = await ask<{ delivery: DeliveryProgress }>('GET', `${this.#url}/delivery?id=${this.#id}`).catch(
      () => undefined,
    )
    if (reply && reply.status !== 200) this.#refused(reply)
    if (reply?.status !== 200) return undefined
    this.progress.push(reply.content.delivery.progress)
    return reply.content.delivery
  }

  /** Pauses or resumes the delivery. Retries until the call succeeds. */
  async insist(path: 'pause' | 'resume'): Promise<void> {
    for (;;) {
      const reply = await ask('POST', `${this.#url}/delivery/${path}`, { id: this.#id }).catch(() => undefined)
      if (reply?.status === 200 || reply?.status === 409) return
      if (reply) this.#refused(reply)
      await pause(50)
    }
  }

  /** Lists all messages that failed or whose result is unknown, page by page. */
  async failures(): Promise<FailedItem[]> {
    const page = async (offset: number) =>
      this.#list<FailedItem>('failures', new URLSearchParams({ limit: '1000', offset: String(offset) }))
    return all(page)
  }

  async failedPieces(): Promise<DeliveryRun['failedPieces']> {
    return this.#list('pieces', new URLSearchParams({ state: 'failed', limit: '1000' }))
  }

  async #list<Item>(list: 'failures' | 'pieces', query: URLSearchParams): Promise<Item[]> {
    const url = `${this.#url}/delivery/${list}?id=${this.#id}&${query}`
    return (await ask<Record<string, Item[]>>('GET', url)).content[list]!
  }

  #refused({ status, text }: Reply<unknown>) {
    // A 503 without an error code is not recorded, since the runtime replies so while it starts.
    if (status !== 503 || text.includes('status_code')) this.errorReplies.push(`${status} ${text}`)
  }
}

async function all<Item>(page: (offset: number) => Promise<Item[]>): Promise<Item[]> {
  const items: Item[] = []
  for (let found = await page(0); found.length > 0; found = await page(items.length)) items.push(...found)
  return items
}
