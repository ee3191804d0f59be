import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { attached } from '../../signature/samples.ts'
import { ask, askJson } from '../http.ts'
import { start } from '../stack.ts'

let stack: Stack
/** Gives the recipients of deliveries. */
let source: Server

const phoneOf = { ann: '77011234567', bob: '77011234568' }
const emailOf = (name: string) => `${name}@example.com`
const names = ['ann', 'bob'] as const

beforeAll(async () => {
  // The first recipient gets the only message that is sent at once.
  const recipient = (name: string, phone: string) => ({ phone, feed_collection: 'news', feed_recipient: name })
  source = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    const content = [recipient('zed', '77011234560'), ...names.map((name) => recipient(name, phoneOf[name]))]
    response.end(JSON.stringify({ status: true, content }))
  }).listen(0, '127.0.0.1')
  stack = await start({ containers: [] })
})

afterAll(async () => {
  await stack.dispose()
  source.close()
})

async function call(method: string, path: string, params: object = {}): Promise<Record<string, never>> {
  const { status, body } = await askJson(stack.url + path, method, params)
  expect({ path, status, body }).toMatchObject({ status: expect.closeTo(200, -1) })
  return (body as { content?: Record<string, never> }).content ?? {}
}

/** Stores data of a person in every component that has such data. */
async function live(name: (typeof names)[number]) {
  const [phone, email] = [phoneOf[name], emailOf(name)]
  const other = name === 'ann' ? 'bob' : 'ann'
  await call('POST', '/feed/record', { collection: 'news', recipient: name, title: 'For' })
  await call('POST', '/feed/record', { collection: 'news', recipient: 'zed', sender: name, title: 'From' })
  await call('POST', '/badge/badge', { collection: 'shop', user: name, name: 'inbox' })
  await call('POST', '/sms/sms', { phones: phone, message: 'Hello' })
  await call('POST', '/sms/blacklist', { phone })
  await call('POST', '/email/smtp', { to: email, subject: 'Hello', text: `Not about ${other}` })
  await call('POST', '/otp/email', { email, password: '1234', lifetime: 3_600, subject: 'Code', text: 'Below' })
  await call('POST', '/otp/sms', { phone, password: '1234', lifetime: 3_600, message: 'Code' })
  await call('POST', '/signature/signature', { document: 'act', thread: name, cms: attached, version_created_by: name })
  await call('POST', '/queue/task', {
    worker: 'default',
    url: `${stack.url}/catcher/later`,
    json: { phone },
    delay: 3_600,
  })
  await call('POST', '/fulltext/documents', { index: 'people', documents: [{ code: name, text: 'Hello' }] })
  await call('POST', '/catcher/any', { user: name })
  const payment = { TransactionId: phone, Amount: '5', Currency: 'KZT', AccountId: name, Status: 'Completed' }
  await call('POST', '/payment/pay', payment)
}

/** The places of the rows that an export finds: `feed records`. */
async function placesOf(name: (typeof names)[number]): Promise<string[]> {
  const person = JSON.stringify({ user: name, phone: phoneOf[name], email: emailOf(name) })
  const { status, text } = await ask(`${stack.url}/person`, { method: 'POST', body: person })
  expect(status).toBe(200)
  const lines = text.split('\n').filter(Boolean)
  const rows = lines.map((line) => JSON.parse(line) as { component: string; place: string })
  return [...new Set(rows.map(({ component, place }) => `${component} ${place}`))].toSorted()
}

it('requires the scope *:manage of a key', async () => {
  const replies = ['feed:manage', '*:write', '*:manage'].map(async (scope) => {
    const { secret } = await call('POST', '/access/key', { name: scope, scopes: [scope] })
    const headers = { authorization: `Bearer ${secret}` }
    const { status, text } = await ask(`${stack.url}/person?user=zed`, { method: 'DELETE', headers })
    return [status, JSON.parse(text).status_code, JSON.parse(text).content?.scope]
  })
  const refused = [403, 'insufficient_scope', '*:manage']
  expect(await Promise.all(replies)).toEqual([refused, refused, [202, undefined, undefined]])
})

interface Operation {
  done: boolean
  components: { component: string; done: boolean; failures: number }[]
}

it('erases a person from every component, and keeps other persons', async () => {
  await call('POST', '/feed/collection', { name: 'news' })
  await call('POST', '/fulltext/index', { name: 'people' })
  for (const name of names) await live(name)
  await call('POST', '/delivery/delivery', {
    ...{ name: 'Sale', min: 1, max: 1, gap: 1, has_email: false, has_sms: true, has_feed: false },
    ...{ data_url: `http://127.0.0.1:${(source.address() as AddressInfo).port}/`, filters: {}, max_per_second: 0.001 },
    sms_message: { en: 'Sale' },
  })
  const all = [
    ...['badge badges', 'catcher requests', 'delivery recipients', 'email caught_mails', 'feed records'],
    ...['fulltext documents', 'otp passwords'],
    ...['payment transactions', 'queue tasks', 'signature versions', 'sms blacklist', 'sms messages'],
  ]
  for (const name of names) await expect.poll(() => placesOf(name)).toEqual(expect.arrayContaining(all))
  const before = await placesOf('bob')

  const person = { user: 'ann', phone: '+7 701 123-45-67', email: 'Ann@example.com' }
  const erasure = await askJson(`${stack.url}/person`, 'DELETE', person)
  expect(erasure.status).toBe(202)
  const { id } = (erasure.body as { content: { operation: { id: string } } }).content.operation
  const show = async () => (await call('GET', '/operation', { id })).operation as unknown as Operation
  await expect.poll(async () => (await show()).done).toBe(true)

  expect((await show()).components.map(({ component }) => component).toSorted()).toEqual(stack.components.toSorted())
  expect((await placesOf('ann')).filter((place) => !place.startsWith('payment '))).toEqual([])
  expect(await placesOf('ann')).toContain('payment transactions')
  expect(await placesOf('bob')).toEqual(before)
  const { messages } = await call('GET', '/email/messages', { to: emailOf('ann') })
  expect(messages).toEqual([])
})
