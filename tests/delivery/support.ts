// The delivery component with a fake queue and fake channels on each database, for the tests in this folder.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, inject } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#delivery/bindings'
import { findDelivery } from '#delivery/delivery-rows'
import type { Ledger } from '#delivery/ledger'
import { schema } from '#delivery/schema'
import Delivery from '../../workers/delivery/index.ts'
import type { Database } from '../support/databases.ts'
import { databases } from '../support/databases.ts'
import { boundOn, startWith } from '../support/requests.ts'
import { fakeChannels } from './channels.ts'
import { fakeQueue } from './queue.ts'

export { errorReply, validationError } from '../support/refusals.ts'

export const bound = env as unknown as Env

/** The URL of a path on the target server, the test server that stands for `data_url`. */
export const target = (path: string) => `http://127.0.0.1:${inject('targetPort')}${path}`

/** The delivery component on one database, with a fake queue and fake channels. `variables` are added to its environment. */
export function deliveryOn(database: Database, variables: Partial<Env> = {}) {
  const queue = fakeQueue()
  const channels = fakeChannels()
  const settings = boundOn(database, {
    ...{ QUEUE: queue, EMAIL: channels.email, SMS: channels.sms, FEED: channels.feed },
    ...{ SELF_URL: 'http://delivery.test', LEDGER: ledgersOf(() => settings) },
    ...variables,
  }) as Env
  const store = open(settings, schema)
  const { worker, fetch, send } = startWith(Delivery, settings)
  const content = async (method: string, path: string, params?: object) => {
    const { json } = await send(method, path, params)
    return json.content as never as Record<string, never>
  }
  return {
    ...{
      dialect: database.dialect,
      env: settings,
      store,
      queue,
      channels,
      fetch,
      send,
      content,
    },
    inLedger,
    /** The name of the ledger of a delivery. */
    ledgerOf: async (id: number) => (await findDelivery(store, id)).ledger,
    sweep: () => worker.sweep(),
    /** Makes a request as the queue does, with the headers of its task. */
    call: (path: string, json: object, headers: Record<string, string>) => send('POST', path, json, headers),
    /** Sends a request with an idempotency key. */
    keyed: (key: string, method: string, path: string, params: object) =>
      send(method, path, params, { 'idempotency-key': key }),
  }
}

export type Tested = ReturnType<typeof deliveryOn>

/** The component on each database, for `describe.each(deliveries())`. */
export const deliveries = (variables: Partial<Env> = {}) => databases.map((database) => deliveryOn(database, variables))

type Verb = (...args: unknown[]) => unknown

/**
 * The real ledgers, but with the environment of the test, in which the queue is fake. A durable object would get the
 * environment of the Worker.
 */
function ledgersOf(settings: () => Env) {
  const call = (name: string, verb: string, args: unknown[]) =>
    runInDurableObject(bound.LEDGER.getByName(name), (ledger: Ledger) => {
      Object.assign(ledger, { env: settings() })
      return (ledger as unknown as Record<string, Verb>)[verb]!(...args)
    })
  return {
    getByName: (name: string) =>
      new Proxy(
        {},
        {
          get: (_, verb) =>
            verb === 'then' ? undefined : async (...args: unknown[]) => call(name, String(verb), structuredClone(args)),
        },
      ),
  } as unknown as Env['LEDGER']
}

/** Runs a function on the SQLite tables of a delivery's ledger. */
const inLedger = <T>(ledger: string, use: (sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(bound.LEDGER.getByName(ledger), (_: Ledger, { storage }) => use(storage.sql))

export const texts = {
  email_subject: { en: 'Hello, {{ name }}', ru: 'Привет, {{ name }}' },
  email_html: { en: '<p>{{ name }}</p>', ru: '<p>Да, {{ name }}</p>' },
  sms_message: { en: 'Hi {{ name }}', ru: 'Эй {{ name }}' },
  feed_title: { en: 'News' },
  feed_text: { en: 'For {{ name }}, {{ shop }}' },
}

/** Parameters of a delivery by all channels to the numbers 1 to 20, in four pieces of five. */
export const deliveryParams = (more: object = {}) => ({
  ...{ name: 'Sale', min: 1, max: 20, gap: 5, has_email: true, has_sms: true, has_feed: true },
  ...{
    data_url: target(`/recipients?key=${crypto.randomUUID()}`),
    filters: { list: 'vip' },
    payload: { shop: 'Acme' },
  },
  ...texts,
  ...more,
})

export interface DeliveryView {
  id: number
  status: string
  paused: boolean
  held: boolean
  held_reason: string | null
  next_attempt_at: string | null
  progress: number
  name: string
  report: {
    pieces: { total: number; processed: number; failed: number }
    recipients: number
  } & Record<'email' | 'sms' | 'feed', Record<string, number> & { reasons: Record<string, number> }>
}

/** Starts a delivery, which must succeed, and returns the delivery in the reply. */
export async function start({ send }: Tested, more: object = {}): Promise<DeliveryView> {
  const { status, json } = await send('POST', '/delivery', deliveryParams(more))
  expect([status, json]).toEqual([200, expect.objectContaining({ status: true })])
  return (json.content as unknown as { delivery: DeliveryView }).delivery
}

export const show = async ({ content }: Tested, id: number): Promise<DeliveryView> =>
  (await content('GET', '/delivery', { id })).delivery as unknown as DeliveryView

/** Runs a delivery to its end. Delays of retries are skipped. */
export async function deliver(tested: Tested, more: object = {}): Promise<DeliveryView> {
  const { id } = await start(tested, more)
  const ledger = await tested.ledgerOf(id)
  for (let rounds = 0; rounds < 20; rounds++) {
    await tested.queue.run(tested, ledger)
    const shown = await show(tested, id)
    if (shown.status !== 'started') return shown
    await hurry(tested, ledger)
  }
  return show(tested, id)
}

/** Makes all delayed work of a ledger due now, so that a test need not wait. */
export async function hurry({ inLedger, env }: Tested, ledger: string): Promise<void> {
  await inLedger(ledger, (sql) => {
    sql.exec(`UPDATE pieces SET at = 0 WHERE state = 'waiting'`)
    sql.exec(`UPDATE messages SET at = 0 WHERE state = 'queued'`)
    sql.exec('UPDATE outlets SET next_at = 0')
  })
  await env.LEDGER.getByName(ledger).wake()
}
