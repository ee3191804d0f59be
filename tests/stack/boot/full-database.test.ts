import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findComponents } from '../../../scripts/deploy/components.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { parseExposition } from '../../support/exposition.ts'
import { ask, askJson } from '../http.ts'
import { start, temporary } from '../stack.ts'

const stateDir = temporary()
let stack: Stack

type Called = [call: string, params?: object]

interface Calls {
  /** Every call that adds rows. The first ones are also made before the database is full. */
  adds: Called[]
  /** How many of `adds` are made before. */
  before: number
  /** Reads, changes and deletes of what they have added. */
  others: Called[]
}

const recipient = { collection: 'news', recipient: 'ann' }
const record = { collection: 'news', id: 1 }
const phone = '77010000002'
const password = { password: '12345678', lifetime: 300, message: 'Code', text: 'Code' }
const uuid = '0190f3a4-7c51-7b2e-9d3f-5a1c8e6b4d03'
const image = '/image/0123456789abcdef'

const calls: Record<string, Calls> = {
  feed: {
    adds: [
      ['POST /collection', { name: 'news' }],
      ['POST /record', { ...recipient, title: 'a' }],
      ['POST /records', { collection: 'news', records: [{ recipient: 'ann', title: 'b' }] }],
    ],
    before: 2,
    others: [
      ['GET /records', recipient],
      ['POST /record/read', record],
      ['POST /records/read', recipient],
      ['DELETE /record', record],
    ],
  },
  badge: {
    adds: [['POST /badge', { collection: 'c', user: 'u', name: 'a' }]],
    before: 1,
    others: [
      ['GET /badges', { collection: 'c', user: 'u' }],
      ['DELETE /badges', { collection: 'c', user: 'u', name: 'a' }],
    ],
  },
  bus: {
    adds: [
      ['POST /client', { name: 'writer', secret: 'a-secret-of-the-writer' }],
      ['POST /collection', { name: 'archive', type: 'storage' }],
      ['POST /access', { client: 2, collection: 1, level: 'write' }],
      ['POST /document', { collection: 'archive', event: 'created', uuid, data: {} }],
    ],
    before: 2,
    others: [['GET /collections'], ['GET /clients']],
  },
  media: {
    adds: [
      ['POST /file'],
      ['POST /image'],
      [`POST ${image}/rotate`, { d: 90 }],
      [`POST ${image}/crop`, { x: 0, y: 0, w: 1, h: 1 }],
      ['POST /video'],
      ['POST /audio'],
      ['POST /tus'],
    ],
    before: 0,
    others: [['GET /items']],
  },
  signature: {
    adds: [['POST /signature', { document: 'd', thread: 't', version: 0, cms: 'AAAA' }]],
    before: 0,
    others: [['GET /signatures']],
  },
  sms: {
    adds: [
      ['POST /blacklist', { phone }],
      ['POST /sms', { phones: phone, message: 'a' }],
      ['POST /call', { phones: phone, message: 'a' }],
    ],
    before: 1,
    others: [['GET /messages'], ['DELETE /blacklist', { phone }]],
  },
  otp: {
    adds: [
      ['POST /sms', { phone, ...password }],
      ['POST /call', { phone, ...password }],
      ['POST /email', { email: 'ann@example.com', subject: 'Code', ...password }],
      ['POST /chatapp', { chat_id: '1', ...password }],
      ['POST /chatapp/webhook', { update_id: 1 }],
    ],
    before: 1,
    others: [['GET /sms/check', { phone, password: password.password }], ['GET /sends']],
  },
  notification: {
    adds: [['POST /notification', { name: 'n', code: 'n', has_sms: true, sms_message: 'a' }]],
    before: 1,
    others: [['POST /notifications'], ['GET /notification', { code: 'n' }]],
  },
  delivery: {
    adds: [
      ['POST /delivery', { name: 'd', min: 1, max: 10, gap: 10, data_url: 'http://localhost:1/', filters: {} }],
      ['POST /delivery/copy', { id: 1 }],
    ],
    before: 0,
    others: [['GET /deliveries']],
  },
  payment: {
    adds: [['GET /pay'], ['POST /pay']],
    before: 0,
    others: [['GET /transactions']],
  },
}

const stored = findComponents('.').filter(({ config }) => config.d1_databases?.length)

const call = (component: string, [name, params = {}]: Called) => {
  const [method, path] = name.split(' ') as [string, string]
  const body = JSON.stringify(params)
  return ask(`${stack.url}/${component}${path}`, { method, body, headers: { 'api-secret': 'the-admin-secret' } })
}

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
}

/** The calls of a component whose description says that a full database refuses them. */
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
  for (const [component, { adds, before }] of Object.entries(calls)) {
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

it('covers every component that has a D1 database', () => {
  expect(Object.keys(calls).sort()).toEqual(stored.map(({ name }) => name).sort())
})

describe.each(Object.entries(calls))('%s with a full database', (component, { adds, others }) => {
  it('declares which calls are refused', async () => {
    expect((await declaredBy(component)).sort()).toEqual(adds.map(([name]) => name).sort())
  })

  it('refuses what adds rows, to be repeated in an hour', async () => {
    for (const added of adds) {
      const { status, text, headers } = await call(component, added)
      expect([added[0], status, headers['retry-after']], text).toEqual([added[0], 503, '3600'])
      expect(JSON.parse(text)).toMatchObject({ status: false, status_code: 'database_full' })
    }
  })

  it('reads, changes and deletes what is there', async () => {
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
