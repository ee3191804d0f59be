// Tests the notifications of the payment processor: signatures, and one payment for any number of copies.
import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { NotificationHandlers } from 'cloudpayments'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listening, listen } from '../../../scripts/lib/server.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask } from '../http.ts'
import { only, start } from '../stack.ts'

const secret = 'the secret of the processor'
const PAYMENT_SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const webhook = new Webhook(PAYMENT_SIGNING_SECRET)

/**
 * The processor's own library, with which a merchant's server verifies notifications. It must agree with the component.
 */
const handlers = new NotificationHandlers({ publicId: 'pk', privateKey: secret } as never)

interface WebhookBody {
  body: string
  /** The library's result, computed on arrival, since the timestamp would be too old later. */
  verified: unknown
}

const webhooks: WebhookBody[] = []
let operator: Listening
let stack: Stack
let url: string

beforeAll(async () => {
  operator = await listen(async (request, response) => {
    const body = await textOf(request)
    webhooks.push({ body, verified: webhook.verify(body, request.headers as Record<string, string>) })
    response.writeHead(201).end('ok')
  })
  const PAYMENT_WEBHOOK_URL = `${operator.url}/payments`
  stack = await start({
    components: only('payment'),
    direct: ['payment'],
    variables: { PAYMENT_API_SECRET: secret, PAYMENT_WEBHOOK_URL, PAYMENT_SIGNING_SECRET },
  })
  url = `${stack.url}/payment`
})

afterAll(async () => {
  await stack.dispose()
  operator.close()
})

async function textOf(request: IncomingMessage) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

const sign = (text: string) => ({ 'content-hmac': createHmac('sha256', secret).update(text).digest('base64') })

const form = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    ...{ TransactionId: '3503689911', Amount: '10500.50', Currency: 'KZT', AccountId: 'Айгерім', Status: 'Completed' },
    ...more,
  }).toString()

const transactions = async (query: string) =>
  (JSON.parse((await ask(`${url}/transactions?count=true&${query}`)).text) as { content: { nb_results: number } })
    .content

it('accepts the same signatures as the processor’s library, with any query', async () => {
  const odd = `Description=it's+odd&Name=${encodeURIComponent("d'Artagnan")}&Data=%7b%22a%22%3a[1]%7d&x=%d0%b0`
  const query = `${form({ TransactionId: '1' })}&${odd}`
  const message = { method: 'GET', url: `/pay?${query}`, headers: sign(query) } as unknown as IncomingMessage
  await expect(handlers.handlePayRequest(message)).resolves.toBeTruthy()
  const asSent = await ask(`${url}/pay`, { path: `/payment/pay?${query}`, headers: sign(query) })
  expect(JSON.parse(asSent.text)).toEqual({ code: 0 })

  const body = JSON.stringify({
    TransactionId: 2,
    Amount: 10.1,
    Currency: 'KZT',
    AccountId: 'ann',
    Status: 'Completed',
  })
  await expect(handlers.handlePayRequest({ payload: body, headers: sign(body) })).resolves.toBeTruthy()
  expect((await ask(`${url}/pay`, { method: 'POST', body, headers: sign(body) })).text).toBe('{"code":0}')
  // A GET with a body, which the processor may send.
  expect((await ask(`${url}/pay`, { body, headers: sign(body) })).text).toBe('{"code":0}')
  expect((await ask(`${url}/pay`, { body })).status).toBe(401)
  await expect(handlers.handlePayRequest({ payload: body, headers: sign(`${body} `) })).rejects.toThrow()
  expect((await ask(`${url}/pay`, { method: 'POST', body, headers: sign(`${body} `) })).status).toBe(401)
})

// Takes 15 seconds on an idle machine.
it('makes one payment and one webhook of 10,000 concurrent copies of a notification', {
  timeout: 900_000,
}, async () => {
  const body = form()
  const headers = sign(body)
  const answers = new Map<string, number>()
  let left = 10_000
  const sender = async () => {
    while (left-- > 0) {
      const { status, text } = await ask(`${stack.origins.payment}/pay`, { method: 'POST', body, headers })
      answers.set(`${status} ${text}`, (answers.get(`${status} ${text}`) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 200 }, sender))
  expect(answers).toEqual(new Map([['200 {"code":0}', 10_000]]))
  expect(await transactions('code=3503689911')).toMatchObject({
    nb_results: 1,
    transactions: [{ sum_minor: 1_050_050 }],
  })
  await expect.poll(() => transactions('status=0')).toMatchObject({ nb_results: 0 })
  const copies = webhooks.filter(({ body }) => body.includes('"3503689911"'))
  expect(copies).toHaveLength(1)
  expect(copies[0]!.verified).toMatchObject({
    ...{ id: expect.stringMatching(/^\d+$/), account: 'Айгерім', code: '3503689911', sum: 10500.5 },
  })
})
