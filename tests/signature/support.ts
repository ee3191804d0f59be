// Runs the signature component in tests with chosen bindings.
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#signature/bindings'
import { signature } from '#signature/index'
import { schema } from '#signature/schema'
import { ask as askOf, type Fetch } from '../support/requests.ts'

export const bound = env as unknown as Env

/** Runs the signature component with other bindings. */
export function signaturesOn(given: object = {}) {
  const its: Env = { ...bound, ...given }
  const fetch: Fetch = async (url, init) => {
    const ctx = createExecutionContext()
    const response = await signature.fetch(new Request(url, init), its, ctx)
    await waitOnExecutionContext(ctx)
    return response
  }
  const ask = (method: string, path: string, params?: object) => askOf(method, path, params, fetch)
  return { env: its, store: open(its, schema), fetch, ask, ...contentsOf(ask) }
}

export interface Signature {
  id: number
  version: number
  document: string
  thread: string
  signature: string
  tags: string[]
  chain: string
  stage: string
  parent: number | null
}

/** Functions that call the API, check that the reply is a success, and return its content. */
function contentsOf(ask: (method: string, path: string, params?: object) => Promise<{ status: number; json: object }>) {
  const contentOf = async (method: string, path: string, params: object) => {
    const { status, json } = await ask(method, path, params)
    expect({ status, json }).toMatchObject({ json: { status: true, message: null } })
    return (json as { content: never }).content
  }
  return {
    save: async (params: object): Promise<Signature> =>
      ((await contentOf('POST', '/signature', params)) as { signature: Signature }).signature,
    read: async (params: object): Promise<Signature> =>
      ((await contentOf('GET', '/signature', params)) as { signature: Signature }).signature,
    versions: async (params: object): Promise<Signature[]> =>
      ((await contentOf('GET', '/signature/versions', params)) as { versions: Signature[] }).versions,
    list: (params: object = {}): Promise<{ signatures: Signature[]; nb_results?: number; next_offset?: number }> =>
      contentOf('GET', '/signatures', params),
  }
}

/** Bindings for one of `databases`. With Postgres, D1 is not bound. */
export const on = (database: object) => ({ DB: undefined, ...database })

/** A unique code or thread. */
export const fresh = () => crypto.randomUUID()

export const invalidParameters = (...fields: string[]) => ({
  status: 400,
  json: {
    status: false,
    status_code: 'validation_failed',
    errors: Object.fromEntries(fields.map((field) => [field, expect.any(String)])),
  },
})

export const refusal = (status: number, status_code: string) => ({ status, json: { status: false, status_code } })
