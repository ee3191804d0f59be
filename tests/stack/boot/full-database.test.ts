// Tests every component with a full D1 database: calls that add rows get 503 `database_full`, all others still work.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manifests } from '#manifests'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { parseExposition } from '../../support/exposition.ts'
import type { Called, FullDatabaseCalls } from '../../support/full-database.ts'
import { ask, askJson } from '../http.ts'
import { start, temporary } from '../stack.ts'

const stateDir = temporary()
let stack: Stack

/** Path of an image that does not exist, in place of `/image/{digest}`. */
const image = '/image/0123456789abcdef'

const stored = manifests.map(({ name }) => name).filter((name) => existsSync(`migrations/${name}/d1`))

const readCalls = async (name: string): Promise<[string, FullDatabaseCalls]> => [
  name,
  (await import(`../../${name}/full-database.ts`)).calls,
]

const calls = await Promise.all(stored.map(readCalls))

const call = (component: string, [name, params = {}]: Called) => {
  const [method, path] = name.split(' ') as [string, string]
  const body = JSON.stringify(params)
  return ask(`${stack.url}/${component}${path}`, { method, body, headers: { 'api-secret': 'the-admin-secret' } })
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
}

/** The calls of a component whose OpenAPI document says that a full database refuses them. */
async function declaredBy(component: string): Promise<string[]> {
  const { body } = await askJson(`${stack.url}/${component}/_openapi.json`, 'GET')
  return Object.entries((body as Described).paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => responses[503]?.description.includes('database_full'))
      .map(([method]) => `${method.toUpperCase()} ${path.replace('/image/{digest}', image)}`),
  )
}

const secrets = { BOX_ADMIN_SECRET: 'the-admin-secret' }

beforeAll(async () => {
  stack = await start({ stateDir, containers: [], variables: secrets })
  for (const [component, { adds, before }] of calls) {
    for (const added of adds.slice(0, before)) {
      const { status, text } = await call(component, added)
      expect(status, `${component} ${added[0]}: ${text}`).toBeLessThan(300)
    }
  }
  await stack.dispose()
  stack = await start({ stateDir, containers: [], variables: { ...secrets, DATABASE_LIMIT_BYTES: '4096' } })
}, 600_000)

afterAll(async () => {
  await stack?.dispose()
  await rm(stateDir, { recursive: true, maxRetries: 5 })
})

describe.each(calls)('%s with a full database', (component, { adds, others }) => {
  it('declares the calls that fail', async () => {
    expect((await declaredBy(component)).sort()).toEqual(adds.map(([name]) => name).sort())
  })

  it('rejects calls that add rows, with a Retry-After of an hour', async () => {
    for (const added of adds) {
      const { status, text, headers } = await call(component, added)
      expect([added[0], status, headers['retry-after']], text).toEqual([added[0], 503, '3600'])
      expect(JSON.parse(text)).toMatchObject({ status: false, status_code: 'database_full' })
    }
  })

  it('reads, changes and deletes rows', async () => {
    for (const other of others) {
      const { status, text } = await call(component, other)
      expect(status, `${other[0]}: ${text}`).toBeLessThan(300)
    }
  })

  it('shows the size of its database', async () => {
    const { text } = await call(component, ['GET /_metrics'])
    const families = parseExposition(text)
    const family = families.find(({ name }) => name === 'quartermaster_database_bytes')
    expect(family?.samples[0]?.value).toBeGreaterThan(4_096)
  })
})
