// Tests a bulk delivery by three channels from its creation to its end, with the real queue.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jsonOf } from '../../../scripts/lib/server.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start } from '../stack.ts'

const names = ['delivery', 'queue', 'email', 'sms', 'feed']
const size = 200

let stack: Stack
let server: Server

/** Resolved when the test has seen the progress in the middle. Until then, the page of the last piece is not served. */
const seenInTheMidst = Promise.withResolvers<void>()

const recipient = (n: number) => ({
  locale: ['en-GB', 'kk-KZ', 'fr'][n % 3],
  email: `user${n}@example.com`,
  phone: `+7 701 ${String(n).padStart(7, '0')}`,
  ...(n % 4 === 0 ? {} : { feed_collection: 'news', feed_recipient: `user${n}` }),
  name: `<${n}>`,
})

beforeAll(async () => {
  stack = await start({ components: only(...names) })
  server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { _min, _max, list } = (await jsonOf(request)) as { _min: number; _max: number; list: string }
    if (_max === size) await seenInTheMidst.promise
    const content = list === 'vip' ? Array.from({ length: _max - _min + 1 }, (_, i) => recipient(_min + i)) : undefined
    response.end(JSON.stringify({ status: true, content }))
  }).listen(0, '127.0.0.1')
})

afterAll(async () => {
  server.close()
  await stack.dispose()
})

const call = async (method: string, path: string, params: object = {}) => {
  const { body } = await askJson(stack.url + path, method, params)
  expect(body).toMatchObject({ status: true })
  return (body as { content: Record<string, never> }).content
}

interface DeliveryReply {
  id: number
  status: string
  progress: number
  report: Record<'email' | 'sms' | 'feed', object>
}

it('sends to all recipients by three channels, while its progress rises', async () => {
  await call('POST', '/feed/collection', { name: 'news' })
  const { delivery } = await call('POST', '/delivery/delivery', {
    ...{ name: 'Sale', min: 1, max: size, gap: 20, has_email: true, has_sms: true, has_feed: true },
    ...{ data_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, filters: { list: 'vip' } },
    email_subject: { en: 'Sale at {{ shop }}', kk: '{{ shop }}: жеңілдік' },
    email_html: { en: '<p>Dear {{ name }}</p>' },
    sms_message: { en: 'Sale at {{ shop }}', kk: '{{ shop }}: жеңілдік' },
    ...{ feed_title: { en: 'Sale' }, payload: { shop: 'Acme' } },
  })
  const { id } = delivery as unknown as DeliveryReply
  const seen: number[] = []
  const read = async () => {
    const { delivery } = await call('GET', '/delivery/delivery', { id })
    const { progress } = delivery as unknown as DeliveryReply
    seen.push(progress)
    if (progress > 0 && progress < 1) seenInTheMidst.resolve()
    return delivery as unknown as DeliveryReply
  }
  await expect.poll(async () => (await read()).status, { timeout: 200_000, interval: 100 }).toBe('finished')
  expect((await read()).report).toMatchObject({
    email: { sent: size },
    sms: { sent: size },
    feed: { sent: size * 0.75, skipped: size * 0.25, reasons: { no_target: size * 0.25 } },
  })
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen.some((progress) => progress > 0 && progress < 1)).toBe(true)

  const mails = await call('GET', '/email/messages', { limit: 1_000, count: true })
  expect(mails).toMatchObject({ nb_results: size })
  expect(await call('GET', '/email/messages', { to: 'user3@' })).toMatchObject({
    messages: [{ subject: 'Sale at Acme', html: expect.stringContaining('<p>Dear &lt;3&gt;</p>') }],
  })
  expect(await call('GET', '/sms/messages', { phone: '77010000004', count: true })).toMatchObject({
    messages: [{ text: 'Acme: жеңілдік', state: 'sent' }],
    nb_results: 1,
  })
  expect(await call('GET', '/feed/records', { collection: 'news', recipient: 'user5' })).toMatchObject({
    records: [{ title: 'Sale', text: null }],
  })
})
