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

/** An address of the target. */
export const target = (path: string) => `http://127.0.0.1:${inject('targetPort')}${path}`

/** A place of the target that stands in for the operator, and answers as it is told. */
export function operator(behaviour: Record<string, string> = {}) {
  const key = keyOfLetters()
  const told = async (path: string) => (await fetch(target(`${path}?key=${key}`))).text()
  const visits = async () => (JSON.parse(await told('/visits')) as Visits).visits
  return {
    url: target(`/visit?${new URLSearchParams({ key, ...behaviour })}`),
    visits,
    release: () => told('/release'),
    /** The visits, as soon as there are so many. */
    arrived: async (count: number): Promise<Visit[]> => {
      await expect.poll(async () => (await visits()).length).toBeGreaterThanOrEqual(count)
      return visits()
    },
  }
}

/** A key of letters: digits and dashes may look like a card number, which is masked wherever it is. */
const keyOfLetters = () =>
  crypto.randomUUID().replaceAll(/[\d-]/g, (character) => 'ghijklmnop'[Number(character)] ?? '')

/** An address where nobody listens. */
export const nowhere = 'http://127.0.0.1:1/'

/** The payments on one of the databases, with more variables, and objects that know them. */
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
    /** What goes on after an answer, and when that is over. */
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
    /** Leaves nothing behind that would be told to the next test's operator. */
    clear: async () => {
      await settled()
      await store.db.delete(store.transactions)
      await store.db.delete(store.requests)
    },
  }
}

export type TestedPayments = ReturnType<typeof paymentOn>

/** On each of the databases: `describe.each(payments())`. */
export const payments = (variables: Partial<Env> = {}) => databases.map((database) => paymentOn(database, variables))

type Verb = (...given: unknown[]) => unknown

/** The real objects, by names of a test's own, in the environment of whoever asks: also when their alarms go off. */
function inEnvironment(namespace: unknown, objects: string, settings: () => Env) {
  const { getByName } = namespace as DurableObjectNamespace<never>
  const call = (name: string, verb: string, given: unknown[]) =>
    runInDurableObject(getByName.call(namespace as never, objects + name), (object) => {
      Object.assign(object as object, { env: settings() })
      return (object as unknown as Record<string, Verb>)[verb]!(...given)
    })
  const stub = (name: string) =>
    new Proxy(
      {},
      {
        get: (_, verb) =>
          verb === 'then' ? undefined : async (...given: unknown[]) => call(name, String(verb), given),
      },
    )
  return { getByName: stub }
}

let codes = 1_000_000_000 + Math.floor(Math.random() * 8e9)

/** A transaction that no other test has, of ten digits as the processor counts them. */
export const freshCode = () => String(codes++)

/** What the processor says of a payment. */
export const notification = (more: Record<string, unknown> = {}) => ({
  ...{ TransactionId: freshCode(), Amount: '10.00', Currency: 'KZT', AccountId: 'ann', InvoiceId: '7' },
  ...{ DateTime: '2026-01-02 03:04:05', Status: 'Completed', TestMode: '0', ...more },
})

export const answered = (code: number) => ({ status: 200, json: { code } })
