// Benchmark of the notification templates.
import { post } from '../scripts/lib/post.ts'
import type { Stack } from '../scripts/stack/stack.ts'
import type { BenchOperation } from './operation.ts'

const html = `<h1>{{ shop }}</h1><p>Dear {{ name }},</p>${'<p>Thank you for your order. It is on its way to you.</p>'.repeat(40)}
<ul>{% for item in items %}<li>{{ item.name }}: {{ item.price | round: 2 }}</li>{% endfor %}</ul>`

const texts = {
  email_subject: { en: 'Order {{ order }} is on its way', kk: '{{ order }} тапсырысы жолда' },
  email_html: { en: html, kk: html, ru: html },
  sms_message: { en: 'Order {{ order }} is on its way', kk: '{{ order }} тапсырысы жолда' },
  feed_title: 'Order {{ order }}',
  feed_text: '{{ name }}, your order is on its way',
}

const payload = (n: number) => ({
  shop: 'Shop & Co',
  name: `Customer ${n}`,
  order: n,
  items: Array.from({ length: 5 }, (_, i) => ({ name: `Item ${i}`, price: i * 1.5 })),
})

const notify = (n: number, notification: string, targets: object) => ({
  method: 'POST',
  path: '/notify',
  body: { notification, locale: 'kk-KZ', ...targets, payload: payload(n) },
})

const every = { email: 'ann@example.com', phone: '77011234567', feed_collection: 'bench', feed_recipient: 'ann' }

export const operations: BenchOperation[] = [
  {
    name: 'POST /notification/preview, 5 texts',
    request: (n) => ({
      method: 'POST',
      path: '/notification/preview',
      body: { code: 'bench', locale: 'kk-KZ', payload: payload(n) },
    }),
    floor: 'read',
  },
  {
    name: 'POST /notify, one channel',
    request: (n) => notify(n, 'bench', { phone: every.phone }),
    floor: 'write',
  },
  {
    name: 'POST /notify, three channels',
    request: (n) => notify(n, 'bench', every),
    floor: 'write',
  },
  {
    name: 'GET /notification',
    request: () => ({ method: 'GET', path: '/notification?code=bench' }),
    floor: 'read',
  },
]

/** Creates the templates. The queue worker runs no tasks, because sending messages would share the machine. */
export async function prepare(stack: Stack, origin: string) {
  await post(`${stack.url}/queue`, '/worker/pause', { worker: 'notification' })
  const channels = { has_email: true, has_sms: true, has_feed: true }
  await post(origin, '/notification', { name: 'Bench', code: 'bench', ...channels, ...texts })
}
