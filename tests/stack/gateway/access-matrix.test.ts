// Calls every operation of a running stack with credentials of every scope, with and without bounds. The expected replies follow
// from the OpenAPI document; what the document says is listed here where it differs from the rules.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOf } from '#core/http/security'
import { manifests, ownPrefixOf } from '#manifests'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { parseExposition } from '../../support/exposition.ts'
import { describedWhole } from '../described.ts'
import { ask, open } from '../http.ts'
import { type ApiOperation, operationsIn } from '../operations.ts'
import { start } from '../stack.ts'

const root = 'the root token of this test'
const components = manifests.map(({ name }) => name)

let stack: Stack
let operations: ApiOperation[]

beforeAll(async () => {
  // With the console, the gateway redirects some pages before the component checks the credentials.
  stack = await start({ containers: [], variables: { AUTH_TOKENS: root, CONSOLE: 'false' } })
  operations = operationsIn(await describedWhole(stack))
})

afterAll(() => stack?.dispose())

const names = (those: ApiOperation[]) => those.map(({ name }) => name)

describe('the declared levels', () => {
  const levelOf = ({ operation }: ApiOperation) => scopeOf(operation)?.split(':')[1]
  const isGet = ({ method }: ApiOperation) => method === 'GET' || method === 'HEAD'

  it('of GET are read, except of those with an effect and those that show secrets, keys, calls or persons', () => {
    const others = operations.filter((one) => isGet(one) && ![undefined, 'read'].includes(levelOf(one)))
    expect(names(others)).toEqual([
      'GET /sms/receipt/{provider}',
      'GET /otp/sms/check',
      'GET /otp/call/check',
      'GET /otp/email/check',
      'GET /otp/chatapp/check',
      'GET /otp/target',
      'GET /otp/password',
      'GET /payment/pay',
      'GET /access/keys',
      'GET /access/audit',
      'GET /access/audit/verify',
      'GET /person',
      'GET /operation',
    ])
  })

  it('of other methods are write or manage, except of those without an effect', () => {
    expect(names(operations.filter((one) => !isGet(one) && levelOf(one) === 'read'))).toEqual([
      'POST /signature/signature/verify',
      'POST /feed/records/search',
      'POST /feed/records/count',
      'POST /feed/stream/token',
      'POST /badge/badges',
      'POST /badge/counters',
      'POST /badge/users',
      'POST /fulltext/document/search',
      'POST /fulltext/documents/search',
      'POST /typeahead/document/search',
      'POST /typeahead/documents/search',
      'POST /sms/blacklist/search',
      'POST /sms/messages',
      'POST /email/messages',
      'POST /otp/messages',
      'POST /notification/notifications',
      'POST /notification/notification/preview',
      'POST /payment/check',
      'POST /payment/transactions',
      'POST /catcher/_requests_/verify',
    ])
  })

  it('are manage for bulk deletion, limits, workers, users and collections of the bus, keys, the audit log, one-time passwords and persons', () => {
    expect(names(operations.filter((one) => levelOf(one) === 'manage'))).toEqual([
      'DELETE /feed/records',
      'DELETE /badge/badges',
      'DELETE /fulltext/index',
      'DELETE /typeahead/index',
      'POST /email/outlet/pause',
      'POST /email/outlet/resume',
      'POST /email/outlet/probe',
      'DELETE /email/messages',
      'DELETE /otp/lock',
      'POST /otp/limit/sms',
      'POST /otp/limit/call',
      'POST /otp/limit/email',
      'POST /otp/limit/chatapp',
      'GET /otp/target',
      'POST /otp/target',
      'GET /otp/password',
      'POST /otp/password',
      'DELETE /otp/messages',
      'POST /queue/tasks/delete',
      'PUT /queue/worker',
      'DELETE /queue/worker',
      'POST /queue/worker/pause',
      'POST /queue/worker/resume',
      'POST /bus/client',
      'PATCH /bus/client',
      'DELETE /bus/client',
      'POST /bus/collection',
      'PATCH /bus/collection',
      'DELETE /bus/collection',
      'POST /bus/access',
      'DELETE /bus/access',
      'POST /bus/subscription',
      'PATCH /bus/subscription',
      'DELETE /bus/subscription',
      'POST /bus/signing-secret',
      'DELETE /bus/signing-secret',
      'DELETE /catcher/_last_request_',
      'DELETE /catcher/_requests_',
      'POST /access/key',
      'DELETE /access/key',
      'GET /access/keys',
      'POST /access/key/rotate',
      'GET /access/audit',
      'GET /access/audit/verify',
      'DELETE /person',
      'GET /person',
      'POST /person',
      'GET /operation',
    ])
  })

  it('are missing only for open operations, callbacks of the queue, and tokens', () => {
    const without = operations.filter((one) => levelOf(one) === undefined)
    expect(names(without)).toEqual([
      ...['file', 'image', 'video', 'audio'].flatMap((kind) => [
        `GET /media/${kind}/{digest}`,
        ...(kind === 'video' ? ['GET /media/video/{digest}/preview', 'POST /media/video/{digest}/preview'] : []),
        `GET /media/${kind}/{digest}/info`,
      ]),
      'OPTIONS /media/tus',
      'GET /fulltext/_example',
      'GET /typeahead/_example',
      'POST /otp/chatapp/delivery',
      'POST /delivery/piece',
      'POST /delivery/slice',
      'GET /queue/.well-known/jwks.json',
      'POST /bus/callback',
      'GET /payment/pub/card',
      'GET /payment/_payments_/pub/card',
      'POST /access/token',
    ])
  })
})

/** Creates a key, and returns its secret. */
async function createKey(scopes: string[], bounds: Record<string, string> = {}): Promise<string> {
  const name = crypto.randomUUID()
  const { status, text } = await ask(`${stack.url}/access/key`, {
    method: 'POST',
    headers: { authorization: `Bearer ${root}` },
    body: JSON.stringify({ name, scopes, bounds }),
  })
  expect(status, text).toBe(201)
  return JSON.parse(text).content.secret
}

const accessErrors = ['unauthorized', 'insufficient_scope', 'out_of_bounds', 'cross_site_request']

/** The access error of a call, or `passed` if the reply is any other. */
async function resultOf(
  { method, url }: Pick<ApiOperation, 'method' | 'url'>,
  key: string | undefined,
  params: object = {},
): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  const response = await open(stack.url + url, { method, headers, body: JSON.stringify(params) })
  if (!response.headers['content-type']?.startsWith('application/json')) {
    // A stream would never end. Pages for people have no code.
    response.destroy()
    return response.statusCode === 401 ? 'unauthorized' : 'passed'
  }
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const { status_code } = text ? JSON.parse(text) : {}
  return accessErrors.includes(status_code) ? status_code : 'passed'
}

interface Call {
  operation: ApiOperation
  scopes: string[]
  bounds: Record<string, string>
  key: string | undefined
}

const includedLevels: Record<string, string[]> = {
  read: ['read'],
  write: ['read', 'write'],
  manage: ['read', 'write', 'manage'],
  metrics: ['metrics'],
  '*': ['read', 'write', 'manage', 'metrics'],
}

/** Whether scopes include the scope of an operation. Written apart from the code that it tests. */
const isIncluded = (scope: string, scopes: string[]) => {
  const [component, level] = scope.split(':')
  return scopes.some((held) => {
    if (held === '*') return true
    const [of, upTo] = held.split(':')
    return (of === '*' || of === component) && includedLevels[upTo!]!.includes(level!)
  })
}

/** What the declaration says about a call without parameters. */
function expected({ operation: { operation }, scopes, bounds, key }: Call): string {
  const { security, 'x-bindable': bindable = [] } = operation
  if (security.length === 0) return 'passed'
  if (!key || !security.some(({ bearer }) => bearer)) return 'unauthorized'
  const scope = scopeOf(operation)
  if (scope === undefined) return 'passed'
  if (!isIncluded(scope, scopes)) return 'insufficient_scope'
  return Object.keys(bounds).every((name) => bindable.includes(name)) ? 'passed' : 'out_of_bounds'
}

/** Makes the calls, some at a time, and returns those whose result is not the expected one. */
async function mismatches(calls: Call[]): Promise<string[]> {
  const mismatched: string[] = []
  const queue = calls.values()
  const work = async () => {
    for (const call of queue) {
      const result = await resultOf(call.operation, call.key)
      if (result === expected(call)) continue
      const credential = `${call.scopes} ${JSON.stringify(call.bounds)}`
      mismatched.push(`${call.operation.name} with ${credential}: ${result} instead of ${expected(call)}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  return mismatched
}

const levels = ['read', 'write', 'manage', 'metrics', '*']
const bound = { recipient: 'ann' }

describe('every operation', () => {
  it('is refused with wrong credentials, and without credentials unless it is open', async () => {
    const calls = [undefined, 'wrong', `qm_${'0'.repeat(24)}_${'x'.repeat(43)}`].flatMap((key) =>
      operations.map((operation) => ({ operation, scopes: [], bounds: {}, key })),
    )
    const refused = await Promise.all(
      calls.map(async (call) => ({ call, result: await resultOf(call.operation, call.key) })),
    )
    const passed = refused.filter(({ result }) => result !== 'unauthorized')
    // Wrong credentials are refused by open operations too.
    expect(passed.filter(({ call }) => call.key !== undefined)).toEqual([])
    const open = operations.filter(({ operation }) => operation.security.length === 0)
    expect(new Set(passed.map(({ call }) => call.operation))).toEqual(new Set(open))
  })

  it.each([
    ['unbound', {}],
    ['bound', bound],
  ])('passes with its scope alone, %s', async (_, bounds) => {
    const calls: Call[] = []
    const all = [...components, 'gateway']
    for (const [at, component] of all.entries()) {
      const own = operations.filter((one) => one.component === component)
      const other = all[(at + 1) % all.length]
      const held = [...levels.map((level) => [`${component}:${level}`]), [`${other}:*`]]
      for (const scopes of held) {
        const key = await createKey(scopes, bounds)
        calls.push(...own.map((operation) => ({ operation, scopes, bounds, key })))
      }
    }
    expect(await mismatches(calls)).toEqual([])
    expect(calls.length).toBeGreaterThan(1_000)
  })

  it.each([
    ['unbound', {}],
    ['bound', bound],
  ])('passes with the scope of its level for all components, %s', async (_, bounds) => {
    const calls: Call[] = []
    for (const scopes of [...levels.map((level) => [`*:${level}`]), ['*']]) {
      const key = await createKey(scopes, bounds)
      calls.push(...operations.map((operation) => ({ operation, scopes, bounds, key })))
    }
    expect(await mismatches(calls)).toEqual([])
  })

  it('accepts a token in the query only if it is a stream or a download', async () => {
    const { text } = await ask(`${stack.url}/access/token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${root}` },
      body: JSON.stringify({ scopes: ['*'] }),
    })
    const { token } = JSON.parse(text).content
    const closed = operations.filter(({ operation }) => operation.security.length > 0)
    const results = await Promise.all(
      closed.map(async (one) => ({
        one,
        result: await resultOf({ ...one, url: `${one.url}?token=${token}` }, undefined),
      })),
    )
    const passed = results.flatMap(({ one, result }) => (result === 'passed' ? one : []))
    expect(passed).toEqual(closed.filter(({ operation }) => operation.security.some(({ token }) => token)))
    expect(names(passed)).toEqual([
      'GET /feed/stream',
      'GET /pdf/pdf',
      'GET /pdf/document',
      'GET /email/message/raw',
      'GET /catcher/_requests_/stream',
    ])
  })

  it('passes with bounds only if it can be restricted to all of them', async () => {
    const bindable = [...new Set(manifests.flatMap(({ bindable = [] }) => bindable))]
    const all = [...bindable.map((name) => [name]), ['collection', 'recipient'], ['collection', 'user']]
    const calls: Call[] = []
    for (const names of all) {
      const bounds = Object.fromEntries(names.map((name) => [name, 'ann']))
      const key = await createKey(['*'], bounds)
      calls.push(...operations.map((operation) => ({ operation, scopes: ['*'], bounds, key })))
    }
    expect(await mismatches(calls)).toEqual([])
  })
})

/** Valid values of the required and bindable parameters of the operations that can be bound, by name. */
const samples = (): Record<string, unknown> => ({
  ...{ collection: 'news', recipient: 'ann', user: 'ann', worker: 'default', index: 'products' },
  ...{ id: 1, name: 'mail', names: ['mail'], code: '1', search: 'a', text: 'a', title: 'a', schedule: 'daily' },
  ...{ event: 'created', data: {}, uuid: 'b5ad6d1e-2f5c-4b1a-8f39-0a5cbf2c4f6e' },
  ...{ url: `${stack.url}/catcher/access-matrix`, method: 'POST', min: 1, max: 2, gap: 1 },
  documents: [{ code: '1', title: 'a', text: 'a' }],
  tasks: [{ url: `${stack.url}/catcher/access-matrix` }],
})

/** The same, with the id of an operation, which is a UUID in most components. */
const samplesFor = ({ operation }: ApiOperation): Record<string, unknown> => {
  const { id } = Object.fromEntries(operation.parameters.map((one) => [one.name, one.schema])) as {
    id?: { format?: string }
  }
  return { ...samples(), ...(id?.format === 'uuid' && { id: samples().uuid }) }
}

describe('a bound', () => {
  it('is checked in every operation that can be restricted to it', async () => {
    const all: string[] = []
    const mismatched: string[] = []
    for (const operation of operations) {
      const { 'x-bindable': bindable = [], 'x-selectors': selectors = [] } = operation.operation
      const values = samplesFor(operation)
      const needed = Object.fromEntries([...operation.required, ...bindable].map((name) => [name, values[name]]))
      for (const name of bindable) {
        const key = await createKey(['*'], { [name]: String(values[name]) })
        const results = {
          own: await resultOf(operation, key, { ...needed, [name]: values[name] }),
          filledIn: await resultOf(operation, key, { ...needed, [name]: undefined }),
          foreign: await resultOf(operation, key, { ...needed, [name]: 'bob' }),
          selectors: await Promise.all(
            selectors.map((selector) => resultOf(operation, key, { ...needed, [selector]: 'bob' })),
          ),
        }
        all.push(operation.name)
        const isRight =
          results.own === 'passed' &&
          results.filledIn === 'passed' &&
          [results.foreign, ...results.selectors].every((result) => result === 'out_of_bounds')
        if (!isRight) mismatched.push(`${operation.name} bound to ${name}: ${JSON.stringify(results)}`)
      }
    }
    expect(mismatched).toEqual([])
    expect(all.length).toBeGreaterThan(40)
  })
})

describe('metrics and health', () => {
  const read = (path: string, key: string) =>
    ask(`${stack.url}${path}`, { headers: { authorization: `Bearer ${key}` } })

  it('are read by a scraper with *:metrics alone, at the gateway and at each component', async () => {
    const key = await createKey(['*:metrics'])
    const { status, text } = await read('/_metrics', key)
    expect(status, text).toBe(200)
    const up = parseExposition(text).find(({ name }) => name === 'quartermaster_up')!
    expect(up.samples.map(({ labels, value }) => [labels.component, value]).toSorted()).toEqual(
      components.map((name) => [name, 1]).toSorted(),
    )
    for (const name of components)
      expect((await read(`/${name}${ownPrefixOf(name)}/_metrics`, key)).status, name).toBe(200)
  })

  it('of one component are read with its own scope', async () => {
    const key = await createKey(['feed:metrics'])
    const statuses = await Promise.all(
      components.map(async (name) => [name, (await read(`/${name}${ownPrefixOf(name)}/_metrics`, key)).status]),
    )
    expect(statuses).toEqual(components.map((name) => [name, name === 'feed' ? 200 : 403]))
    const up = parseExposition((await read('/_metrics', key)).text).find(({ name }) => name === 'quartermaster_up')!
    expect(up.samples.filter(({ value }) => value === 1).map(({ labels }) => labels.component)).toEqual(['feed'])
  })

  it('are refused without the scope, and with bounds', async () => {
    for (const key of [await createKey(['*:manage']), await createKey(['badge:read'])]) {
      const { status, text } = await read('/_metrics', key)
      expect([status, JSON.parse(text).status_code]).toEqual([403, 'insufficient_scope'])
    }
    const restricted = await read('/feed/_metrics', await createKey(['*'], bound))
    expect([restricted.status, JSON.parse(restricted.text).status_code]).toEqual([403, 'out_of_bounds'])
  })

  it('show the state of the dependencies to credentials with read and without bounds', async () => {
    const hasDetails = async (key: string) => {
      const { text } = await read('/feed/_health', key)
      return Object.hasOwn(JSON.parse(text).content, 'dependencies')
    }
    expect(await hasDetails(await createKey(['feed:read']))).toBe(true)
    expect(await hasDetails(await createKey(['*:write']))).toBe(true)
    expect(await hasDetails(await createKey(['badge:read', '*:metrics']))).toBe(false)
    expect(await hasDetails(await createKey(['feed:read'], bound))).toBe(false)
    expect((await read('/feed/_health', 'wrong')).status).toBe(401)
  })
})
