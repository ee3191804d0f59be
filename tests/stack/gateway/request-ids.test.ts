// Tests that one request id goes through all calls that a request causes, in the logs of a real stack.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask } from '../http.ts'
import { start } from '../stack.ts'

interface Line {
  component: string
  route: string
  request_id?: string
}

interface Captured {
  headers: Record<string, string>
}

const secret = 'the secret of this test'

let stack: Stack
const lines: Line[] = []

beforeAll(async () => {
  stack = await start({
    containers: [],
    variables: { BOX_ADMIN_SECRET: secret },
    log: (line) => {
      if (line.startsWith('{')) lines.push(JSON.parse(line))
    },
  })
})

afterAll(() => stack.dispose())

const send = async (
  path: string,
  id: string,
  params: object,
  headers: Record<string, string> = {},
  method = 'POST',
) => {
  const reply = await ask(`${stack.url}${path}`, {
    method,
    headers: { 'x-request-id': id, ...headers },
    body: JSON.stringify(params),
  })
  expect(reply.headers['x-request-id'], reply.text).toBe(id)
  expect(reply.status, reply.text).toBeLessThan(300)
  return JSON.parse(reply.text)
}

/** The log lines with a request id, each as `component route`. */
const logged = (id: string) =>
  lines.filter(({ request_id }) => request_id === id).map(({ component, route }) => `${component} ${route}`)

const untilLogged = (id: string, expected: string[]) =>
  expect.poll(() => logged(id)).toEqual(expect.arrayContaining(expected))

/** The request ids of the requests that the catcher got at a path. Waits until there is one. */
async function caughtAt(path: string): Promise<(string | undefined)[]> {
  const { text } = await ask(`${stack.url}/catcher/_last_request_?path=${path}&wait=30`)
  expect(JSON.parse(text), text).toMatchObject({ path })
  const all = await ask(`${stack.url}/catcher/_requests_?path=${path}`)
  const { requests } = (JSON.parse(all.text) as { content: { requests: Captured[] } }).content
  return requests.map(({ headers }) => headers['x-request-id'])
}

it('passes the id of a notification to the queue and to every channel', async () => {
  const texts = { email_subject: 'Hello', email_html: '<p>Hello</p>', sms_message: 'Hello', feed_title: 'Hello' }
  const has = { has_email: true, has_sms: true, has_feed: true }
  await send('/notification/notification', 'setting-up', { name: 'Hello', code: 'hello', ...has, ...texts })
  const targets = { email: 'ann@example.com', phone: '77011234567', feed_collection: 'news', feed_recipient: 'ann' }
  await send('/notification/notify', 'notify-1', { notification: 'hello', locale: 'en', ...targets })
  await untilLogged('notify-1', ['notification /notify', 'queue /task', 'email /smtp', 'sms /sms', 'feed /record'])
})

it('passes the id of a one-time password to the queue and the channel', async () => {
  await send('/otp/sms', 'otp-1', { phone: '77011234567', password: '123456', message: '123456', lifetime: 60 })
  await untilLogged('otp-1', ['otp /sms', 'queue /task', 'sms /sms'])
})

it('passes the id of a document to its handler and its webhook', async () => {
  const administrator = { 'api-secret': secret }
  const handler = `${stack.url}/catcher/handler`
  await send('/bus/collection', 'setting-up', { name: 'orders', type: 'async', handler }, administrator)
  const webhook = `${stack.url}/catcher/webhook`
  const uuid = crypto.randomUUID()
  await send('/bus/document', 'order-1', { collection: 'orders', event: 'new', uuid, data: {}, webhook }, administrator)
  expect(await caughtAt('/handler')).toEqual(['order-1'])
  expect(await caughtAt('/webhook')).toEqual(['order-1'])
  await untilLogged('order-1', ['bus /document', 'queue /task', 'bus /callback', 'catcher /*'])
})

it('passes the id of a payment to the webhook of the operator', async () => {
  const paid = { TransactionId: '1', AccountId: 'ann', Amount: '10.00', Currency: 'KZT', Status: 'Completed' }
  await send('/payment/pay', 'pay-1', paid)
  expect(await caughtAt('/payments')).toEqual(['pay-1'])
})

it('passes the id of the request that starts a delivery to its messages', async () => {
  const people = { content: [{ phone: '77017654321' }] }
  await send('/catcher/_requests_/reply', 'setting-up', { path: '/people', json: people }, {}, 'PUT')
  const newDelivery = { name: 'All', has_sms: true, sms_message: { en: 'Hello' }, filters: {}, min: 1, max: 1, gap: 1 }
  await send('/delivery/delivery', 'bulk-1', { ...newDelivery, data_url: `${stack.url}/catcher/people` })
  await untilLogged('bulk-1', [
    'delivery /delivery',
    'queue /fraction',
    'delivery /piece',
    'delivery /slice',
    'sms /sms',
  ])
})

it('replaces an invalid id', async () => {
  const reply = await ask(`${stack.url}/queue/_health`, { headers: { 'x-request-id': 'a b' } })
  expect(reply.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})
