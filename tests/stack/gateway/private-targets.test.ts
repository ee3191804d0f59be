// Tests a stack with the rule of a deployment: URLs that callers name must lead to public addresses.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask, askJson } from '../http.ts'
import { start } from '../stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await start({ containers: [], variables: { ALLOW_PRIVATE_TARGETS: 'false', PAYMENT_TEST: 'true' } })
})

afterAll(() => stack?.dispose())

const call = (method: string, path: string, params: object) => askJson(`${stack.url}${path}`, method, params)

/** The messages to a phone that the SMS component has got from the queue, as JSON text. */
const textsTo = async (phone: string) => (await ask(`${stack.url}/sms/messages?phone=${phone}`)).text

it('sends one-time passwords', async () => {
  const password = { phone: '77010000001', password: '482913', lifetime: 300, message: 'Code 482913' }
  expect(await call('POST', '/otp/sms', password)).toMatchObject({ status: 200 })
  await expect.poll(() => textsTo('77010000001'), { timeout: 120_000 }).toContain('Code 482913')
})

it('sends notifications', async () => {
  const template = { name: 'Order shipped', code: 'shipped', has_sms: true, sms_message: { en: 'It is on its way' } }
  expect(await call('POST', '/notification/notification', template)).toMatchObject({ status: 200 })
  const sent = { notification: 'shipped', locale: 'en', phone: '77010000002', payload: {} }
  expect(await call('POST', '/notification/notify', sent)).toMatchObject({ status: 200 })
  await expect.poll(() => textsTo('77010000002'), { timeout: 120_000 }).toContain('It is on its way')
})

it('accepts payments and sends their webhooks', async () => {
  const query =
    'TransactionId=1&Amount=10.00&AccountId=a&Currency=KZT&Status=Completed&OperationType=Payment&TestMode=1'
  const { status, text } = await ask(`${stack.url}/payment/pay?${query}`)
  expect([status, text]).toEqual([200, '{"code":0}'])
  const webhook = async () => (await ask(`${stack.url}/catcher/_last_request_?path=/payments&wait=30`)).status
  await expect.poll(webhook, { timeout: 120_000 }).toBe(200)
})

it('rejects private addresses of callers', async () => {
  const task = { worker: 'default', url: 'http://127.0.0.1:1/' }
  expect(await call('POST', '/queue/task', task)).toMatchObject({
    status: 400,
    body: { errors: { url: expect.any(String) } },
  })
})
