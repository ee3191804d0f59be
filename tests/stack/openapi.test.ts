// Tests the published OpenAPI document: it is up to date, complete, and valid for generated requests.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Description, Operation } from '#core/http/openapi'
import type { Stack } from '../../scripts/stack/stack.ts'
import { accessPageOf } from './access-page.ts'
import { describedWhole } from './described.ts'
import { ask } from './http.ts'
import { start } from './stack.ts'

let stack: Stack
let description: Description

beforeAll(async () => {
  stack = await start({ containers: [] })
  description = await describedWhole(stack)
})

afterAll(() => stack.dispose())

describe('the OpenAPI document', () => {
  it('is the one that is published: npm test -- -u writes it, and the changes are the API’s', async () => {
    const published = JSON.stringify(description, null, 2).replaceAll(stack.url, 'http://localhost:8787')
    await expect(`${published}\n`).toMatchFileSnapshot('../../docs/openapi.json')
  })

  it('is the source of the page of access, which npm test -- -u writes too', async () => {
    await expect(accessPageOf(description)).toMatchFileSnapshot('../../docs/access-by-operation.md')
  })

  it('has a unique operation id for each operation', () => {
    const ids = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    )
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted())
  })

  it('has a summary of at most 60 characters and a description for each operation', () => {
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods))
    expect(operations.filter(({ summary }) => summary.length > 60)).toEqual([])
    expect(operations.filter((operation) => !operation.description).map(({ operationId }) => operationId)).toEqual([])
  })

  it('has a description for each parameter', () => {
    const undescribed = Object.values(description.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, parameters, requestBody }) => {
        const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)
        const fields = schemas.flatMap((schema) => Object.entries((schema?.properties ?? {}) as Record<string, Field>))
        const all = [...parameters.map((each) => [each.name, { ...each.schema, ...each }] as const), ...fields]
        return all.filter(([, { description }]) => !description).map(([name]) => `${operationId} ${name}`)
      }),
    )
    expect(undescribed).toEqual([])
  })
})

/** Parameters with values that must not be in URLs, where logs would store them. */
const personal = ['phone', 'email', 'to', 'chat_id', 'password', 'target', 'ip', 'account']

/** Links for payers, which must be GETs; the audit log, whose `to` is a time; attempts of the bus, whose `target` is a kind of receiver. */
const exceptions = ['/payment/pub/card', '/payment/_payments_/pub/card', '/access/audit', '/bus/document/attempts']

describe('every GET with personal parameters', () => {
  const fieldsOf = (operation: Operation | undefined) => {
    const { properties = {} } = (operation?.requestBody?.content['application/json']?.schema ?? {}) as Fields
    return Object.keys(properties).toSorted()
  }

  it('has a POST with the same parameters in the body', () => {
    const gets = Object.entries(description.paths).filter(
      ([path, { get }]) => !exceptions.includes(path) && fieldsOf(get).some((name) => personal.includes(name)),
    )
    expect(gets.length).toBeGreaterThan(8)
    const lacking = gets.filter(([path, { get }]) => {
      const posts = [path, `${path}/search`].map((at) => description.paths[at]?.post)
      return !posts.some((post) => fieldsOf(post).join() === fieldsOf(get).join())
    })
    expect(lacking.map(([path]) => path)).toEqual([])
  })
})

interface Fields {
  properties?: object
}

interface Field {
  description?: string
}

/** Whether an operation replies with JSON. Streams, which have no end, and redirects are left out. */
const isJson = ({ responses }: Operation) => 'application/json' in ((responses['200']?.content as object) ?? {})

describe('every GET', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('', "'", '\0', '😀', 'news', 'ann', 1, -1, 2 ** 53, true, null, [], {}),
  )

  it('never fails with an arbitrary body', async () => {
    const paths = Object.entries(description.paths).flatMap(([path, { get }]) =>
      get?.requestBody && isJson(get) ? [{ path, get }] : [],
    )
    expect(paths.length).toBeGreaterThan(5)
    for (const { path, get } of paths) {
      const { properties = {} } = get.requestBody!.content['application/json']!.schema as { properties?: object }
      // `wait` is left out, since the request would really wait for that time.
      const names = Object.keys(properties).filter((name) => name !== 'wait')
      const bodies = fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] })
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            bodies.map((body) => JSON.stringify(body)),
            fc.string(),
          ),
          async (body) => {
            const { status } = await ask(stack.url + path.replace(/\{\w+\}/g, '1'), { body })
            expect(status).toBeLessThan(500)
          },
        ),
        { numRuns: 20 },
      )
    }
  })
})
