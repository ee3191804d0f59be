// Tests a notification in three locales by three channels, from the template to the delivered messages.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start } from '../stack.ts'

const names = ['notification', 'queue', 'email', 'sms', 'feed']

let stack: Stack

beforeAll(async () => {
  stack = await start({ components: only(...names) })
})

afterAll(() => stack.dispose())

const call = async (method: string, path: string, params: object = {}) => {
  const { status, body } = await askJson(stack.url + path, method, params)
  expect({ status, body }).toMatchObject({ body: { status: true } })
  return (body as { content: Record<string, never> }).content
}

const template = {
  name: 'Order shipped',
  code: 'order_shipped',
  has_email: true,
  has_sms: true,
  has_feed: true,
  email_subject: {
    en: 'Order {{ order }} is on its way',
    kk: '{{ order }} тапсырысы жолда',
    ru: 'Заказ {{ order }} в пути',
  },
  email_html: {
    en: '<p>Hello, {{ name }}!</p>{% for item in items %}<p>{{ item }}</p>{% endfor %}',
    kk: '<p>Сәлем, {{ name }}!</p>',
    ru: '<p>Здравствуйте, {{ name }}!</p>',
  },
  sms_message: {
    en: 'Order {{ order }} is on its way',
    kk: '{{ order }} тапсырысы жолда',
    ru: 'Заказ {{ order }} в пути',
  },
  feed_title: { en: 'On its way', kk: 'Жолда', ru: 'В пути' },
  feed_text: '{{ name }}: {{ order }}',
}

const people = [
  {
    locale: 'en-GB',
    who: 'ann',
    phone: '447700900001',
    subject: 'Order 7 is on its way',
    html: '<p>Hello, &lt;ann&gt;!</p><p>A &amp; B</p>',
    title: 'On its way',
  },
  {
    locale: 'kk',
    who: 'aigerim',
    phone: '77011234567',
    subject: '7 тапсырысы жолда',
    html: '<p>Сәлем, &lt;aigerim&gt;!</p>',
    title: 'Жолда',
  },
  {
    locale: 'ru-KZ',
    who: 'boris',
    phone: '77017654321',
    subject: 'Заказ 7 в пути',
    html: '<p>Здравствуйте, &lt;boris&gt;!</p>',
    title: 'В пути',
  },
]

it('sends one notification in three locales by three channels', async () => {
  await call('POST', '/feed/collection', { name: 'news' })
  const { notification } = await call('POST', '/notification/notification', template)
  expect(notification).toMatchObject({ variables: ['items', 'name', 'order'] })
  for (const { locale, who, phone } of people) {
    const targets = { email: `${who}@example.com`, phone: `+${phone}`, feed_collection: 'news', feed_recipient: who }
    const payload = { name: `<${who}>`, order: 7, items: ['A & B'] }
    const body = { notification: 'order_shipped', locale, ...targets, feed_payload: { order: 7 }, payload }
    const queued = { state: 'queued', task: expect.stringMatching(/^notification-\d+$/) }
    expect(await call('POST', '/notification/notify', body)).toEqual({
      channels: { email: queued, sms: queued, feed: queued },
    })
  }

  const countOf = async (path: string) => ((await call('GET', path)).messages as never as unknown[]).length
  await expect.poll(() => countOf('/email/messages')).toBe(3)
  await expect.poll(() => countOf('/sms/messages')).toBe(3)
  for (const { who, phone, subject, html, title } of people) {
    const { messages: mails } = await call('GET', '/email/messages', { to: who })
    expect(mails).toMatchObject([{ to: [expect.stringContaining(`${who}@example.com`)], subject }])
    expect((mails as never as { html: string }[])[0]!.html.trim()).toBe(html)
    // Polls the lists of messages, since each message is stored before it is sent.
    const sent = async () => (await call('GET', '/sms/messages', { phone })).messages
    await expect.poll(sent).toMatchObject([{ phone, text: subject, state: 'sent' }])
    const records = { collection: 'news', recipient: who }
    const inFeed = async () => (await call('GET', '/feed/records', records)).records
    await expect
      .poll(inFeed)
      .toMatchObject([{ title, text: `<${who}>: 7`, image: null, payload: { order: 7 }, is_read: false }])
  }
})
