// Creates and searches indexes in tests, and intercepts the calls of their coordinators.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Env } from '#search/bindings'
import type { Coordinator } from '#search/coordinator'
import { ask } from '../support/requests.ts'

export const bound = env as unknown as Env

let used = 0

/** Returns a name that no index has yet. */
export const fresh = () => `index_${used++}`

export interface Document {
  code: string
  title?: string
  text: string
}

interface ResultDocument extends Document {
  score?: number
  highlight?: { title?: string; text: string }
}

/** Sends a request that must succeed, and returns the content of the reply. */
export async function must<Content = undefined>(method: string, path: string, params: object): Promise<Content> {
  const { status, json } = await ask(method, path, params)
  expect([status, json]).toEqual([200, expect.objectContaining({ status: true })])
  return json.content as unknown as Content
}

/** Creates an index with documents, and returns its name. */
export async function filled(documents: Document[], settings: object = {}): Promise<string> {
  const index = fresh()
  await must('POST', '/index', { name: index, ...settings })
  if (documents.length > 0) await must('POST', '/documents', { index, documents })
  return index
}

interface Page {
  documents: ResultDocument[]
  nb_results?: number
  has_more?: true
}

export const search = (index: string, text: string, params: object = {}) =>
  must<Page>('GET', '/documents', { index, search: text, ...params })

/** Returns the codes of the documents that a query finds, in order. */
export const codes = async (index: string, text: string, params: object = {}) =>
  (await search(index, text, params)).documents.map(({ code }) => code)

export const names = async () =>
  (await must<{ indexes: { name: string }[] }>('GET', '/indexes', { limit: 1000 })).indexes.map(({ name }) => name)

/** Returns the tables and the other keys that a durable object has stored. */
export const storedIn = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, { storage }) => ({
    tables: storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
      )
      .toArray()
      .map(({ name }) => name),
    keys: [...storage.kv.list()].map(([key]) => key),
  }))

export const nothing = { tables: [], keys: [] }

/** Returns the coordinator of an index. */
export const head = (index: string) => bound.HEAD.getByName(index)

/** Returns the shards of an index except the coordinator. */
export async function othersOf(index: string, shards: number) {
  const { id } = await runInDurableObject(
    head(index),
    (_: Coordinator, { storage }) => storage.kv.get<{ id: string }>('index')!,
  )
  return Array.from({ length: shards - 1 }, (_, i) => bound.SHARD.getByName(`${id}/${i + 1}`))
}

interface Namespace {
  getByName(name: string): object
}

type Interception = (pass: () => Promise<unknown>) => Promise<unknown>

/** Replaces calls that the coordinator of an index makes to the catalog and to the other shards. */
export const intercept = (index: string, make: (ctx: DurableObjectState) => Record<string, Interception>) =>
  runInDurableObject(head(index), (object: Coordinator, ctx) => {
    const interceptions = make(ctx)
    const intercepted = (namespace: Namespace) => ({
      getByName: (name: string) => {
        const stub = namespace.getByName(name)
        const call = (method: string, given: unknown[]) =>
          (Reflect.get(stub, method) as (...given: unknown[]) => Promise<unknown>)(...given)
        return new Proxy(stub, {
          get:
            (_, method: string) =>
            (...given: unknown[]) =>
              interceptions[method] ? interceptions[method](() => call(method, given)) : call(method, given),
        })
      },
    })
    Object.assign(object, {
      env: { ...bound, CATALOG: intercepted(bound.CATALOG), SHARD: intercepted(bound.SHARD) },
    })
  })
