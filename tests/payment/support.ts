// Shared helpers of the payment tests: the component on each database, a simulated merchant, and notifications.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { expect, inject } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#payment/bindings'
import { schema } from '#payment/schema'
import Payment from '../../workers/payment/index.ts'
import { databases } from '../support/databases.ts'
import { ask, type Fetch } from '../support/requests.ts'
import type { Visit, Visits } from '../support/visits.ts'

const bound = env as unknown as Env

/** URL of a path of the test server. */
export const target = (path: string) => `http://127.0.0.1:${inject('targetPort')}${path}`

/** A path of the test server that simulates the merchant, with the given response statuses. */
export function merchantEndpoint(behaviour: Record<string, string> = {}) {
  const key = keyOfLetters()
  const get = async (path: string) => (await fetch(target(`${path}?key=${key}`))).text()
  const visits = async () => (JSON.parse(await get('/visits')) as Visits).visits
  return {
    url: target(`/visit?${new URLSearchParams({ key, ...behaviour })}`),
    visits,
    release: () => get('/release'),
    /** Resolves with the requests when their number is reached. */
    arrived: async (count: number): Promise<Visit[]> => {
      await expect.poll(async () => (await visits()).length).toBeGreaterThanOrEqual(count)
      return visits()
    },
  }
}

/** A key of letters, since digits and dashes may look like a card number and would be masked. */
const keyOfLetters = () =>
  crypto.randomUUID().replaceAll(/[\d-]/g, (character) => 'ghijklmnop'[Number(character)] ?? '')

/** A URL whose port is closed. */
export const nowhere = 'http://127.0.0.1:1/'

/** The component on one of the databases, with further variables, and its durable objects. */
export function paymentOn(database: (typeof databases)[number], variables: Partial<Env> = {}) {
  const settings = {
    ...bound,
    ...('DB' in database ? {} : { DB: undefined }),
    ...database,
    ...variables,
  } as unknown as Env
  const objects = crypto.randomUUID()
  Object.assign(settings, {
    WEBHOOK: inEnvironment(bound.WEBHOOK, objects, () => settings),
    DISPATCHER: inEnvironment(bound.DISPATCHER, objects, () => settings),
    LOG_QUOTA: inEnvironment(bound.LOG_QUOTA, objects, () => settings),
  })
  const store = open(settings, schema)
  const deferred: Promise<unknown>[] = []
  const settled = async () => void (await Promise.all(deferred.splice(0)))
  const waitUntil = (work: Promise<unknown>) => deferred.push(work)
  const worker = new Payment({ waitUntil } as never, settings as never)
  const fetch: Fetch = async (url, init) => worker.fetch(new Request(url, init))
  const send = (method: string, path: string, params?: object, headers: Record<string, string> = {}) =>
    ask(method, path, params, (url, init) => fetch(url, { ...init, headers }))
  return {
    dialect: database.dialect,
    ...{ env: settings, store, worker, fetch, send },
    /** Waits for the work after the reply (`waitUntil`). */
    ...{ deferred, settled },
    webhook: (id: number) => bound.WEBHOOK.getByName(objects + id),
    dispatcher: () => bound.DISPATCHER.getByName(`${objects}first`),
    quota: (kind = 'strangers') => bound.LOG_QUOTA.getByName(objects + kind),
    sweep: () => worker.sweep(),
    content: async (method: string, path: string, params?: object) =>
      (await send(method, path, params)).json.content as never as Record<string, never>,
    rows: () => store.db.select().from(store.transactions).orderBy(store.transactions.id),
    row: async (code: string) => {
      const [row] = await store.db.select().from(store.transactions).where(eq(store.transactions.code, code))
      return row
    },
    attempts: async (id: number) =>
      store.db.select().from(store.webhooks).where(eq(store.webhooks.transaction_id, id)).orderBy(store.webhooks.id),
    logs: async () => {
      await settled()
      return store.db.select().from(store.requests).orderBy(store.requests.id)
    },
    /** Completes all payments, so that no webhook reaches the merchant of the next test. */
    clear: async () => {
      await settled()
      await store.db.delete(store.transactions)
      await store.db.delete(store.requests)
    },
  }
}

export type TestedPayments = ReturnType<typeof paymentOn>

/** The component on each of the databases: `describe.each(payments())`. */
export const payments = (variables: Partial<Env> = {}) => databases.map((database) => paymentOn(database, variables))

type Verb = (...args: unknown[]) => unknown

/**
 * A durable object namespace that calls the real objects, but with names and variables of one test. The variables are set in the object
 * itself, so that its alarms use them too.
 */
function inEnvironment(namespace: unknown, objects: string, settings: () => Env) {
  const { getByName } = namespace as DurableObjectNamespace<never>
  const call = (name: string, verb: string, args: unknown[]) =>
    runInDurableObject(getByName.call(namespace as never, objects + name), (object) => {
      Object.assign(object as object, { env: settings() })
      return (object as unknown as Record<string, Verb>)[verb]!(...args)
    })
  const stub = (name: string) =>
    new Proxy(
      {},
      {
        get: (_, verb) => (verb === 'then' ? undefined : async (...args: unknown[]) => call(name, String(verb), args)),
      },
    )
  return { getByName: stub }
}

let codes = 1_000_000_000 + Math.floor(Math.random() * 8e9)

/** A unique transaction id of ten digits, as at the processor. */
export const freshCode = () => String(codes++)

/** Fields of a notification. */
export const notification = (more: Record<string, unknown> = {}) => ({
  ...{ TransactionId: freshCode(), Amount: '10.00', Currency: 'KZT', AccountId: 'ann', InvoiceId: '7' },
  ...{ DateTime: '2026-01-02 03:04:05', Status: 'Completed', TestMode: '0', ...more },
})

export const answered = (code: number) => ({ status: 200, json: { code } })
