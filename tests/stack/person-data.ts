// Stores data of persons in every component that has such data, and finds out in which places an export finds a person.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { attached } from '../signature/samples.ts'
import { ask, askJson } from './http.ts'

interface SamplePerson {
  user: string
  phone: string
  email: string
}

/** The places in which an export finds a person of `storePerson`, except payments, which are kept by default. */
export const storedPlaces = [
  ...['badge badges', 'bus documents', 'catcher requests', 'delivery recipients', 'email caught_mails', 'feed records'],
  ...['fulltext documents', 'otp passwords', 'queue schedules', 'queue tasks', 'signature versions', 'sms blacklist'],
  ...['sms messages', 'typeahead documents'],
]

/** Calls a stack. `busSecret` is the secret of the administrator of the bus. */
export function personsOn(url: () => string, busSecret: string) {
  async function call(method: string, path: string, params: object = {}, headers: Record<string, string> = {}) {
    const { status, body } = await askJson(url() + path, method, params, headers)
    expect({ path, status, body }).toMatchObject({ status: expect.closeTo(200, -1) })
    return (body as { content?: Record<string, never> }).content ?? ({} as Record<string, never>)
  }
  const onBus = (path: string, params: object) => call('POST', path, params, { 'api-secret': busSecret })

  /** Creates the collections, indexes and templates. */
  async function prepare() {
    await call('POST', '/feed/collection', { name: 'news' })
    await onBus('/bus/collection', { name: 'archive', type: 'storage' })
    for (const component of ['fulltext', 'typeahead']) await call('POST', `/${component}/index`, { name: 'people' })
    await call('POST', '/notification/notification', {
      ...{ name: 'Hello', code: 'hello', has_email: false, has_sms: true, has_feed: true },
      ...{ sms_message: { en: 'Hello' }, feed_title: { en: 'Hello' } },
    })
  }

  /** Stores data of a person in every component. `other` is a person whose data must stay. */
  async function storePerson({ user, phone, email }: SamplePerson, other: SamplePerson) {
    const spaced = `+${phone[0]} ${phone.slice(1, 4)} ${phone.slice(4)}`
    await call('POST', '/feed/record', { collection: 'news', recipient: user, title: 'For' })
    await call('POST', '/feed/record', { collection: 'news', recipient: 'zed', sender: user, title: 'From' })
    await call('POST', '/badge/badge', { collection: 'shop', user, name: 'inbox' })
    await call('POST', '/sms/sms', { phones: phone, message: 'Hello' })
    await call('POST', '/email/smtp', { to: email, subject: 'Hello', text: `Not about ${other.user}` })
    await call('POST', '/otp/email', { email, password: '1234', lifetime: 3_600, subject: 'Code', text: 'Below' })
    await call('POST', '/otp/sms', { phone, password: '1234', lifetime: 3_600, message: 'Code' })
    const signature = { document: 'act', thread: crypto.randomUUID(), cms: attached, version_created_by: user }
    await call('POST', '/signature/signature', signature)
    const task = { worker: 'default', url: `${url()}/catcher/later`, json: { phone: spaced } }
    await call('POST', '/queue/task', { ...task, delay: 3_600 })
    await call('POST', '/queue/task', { ...task, schedule: crypto.randomUUID(), cron: '0 0 1 1 *' })
    await call('POST', '/fulltext/documents', { index: 'people', documents: [{ code: user, text: 'Hello' }] })
    await call('POST', '/typeahead/documents', { index: 'people', documents: [{ code: spaced, text: 'Hello' }] })
    await call('POST', '/catcher/any', { user })
    await call('POST', '/catcher/named', { user }, { 'x-catcher-space': `orders-${crypto.randomUUID()}` })
    const document = { collection: 'archive', event: 'created', uuid: crypto.randomUUID(), data: { email } }
    await onBus('/bus/document', document)
    const payment = { TransactionId: phone, Amount: '5', Currency: 'KZT', AccountId: spaced, Status: 'Completed' }
    await call('POST', '/payment/pay', payment)
    await call('POST', '/notification/notify', {
      ...{ notification: 'hello', locale: 'en', phone, feed_collection: 'news', feed_recipient: user },
    })
    await call('POST', '/sms/blacklist', { phone })
  }

  /** Starts a delivery to the persons, of which only the first recipient, another one, gets a message at once. */
  async function startDelivery(persons: readonly SamplePerson[]) {
    const first = { user: 'zed', phone: '77011234560' }
    const recipients = [first, ...persons].map(({ user, phone }) => ({
      ...{ phone, feed_collection: 'news', feed_recipient: user },
    }))
    const source = createServer({ keepAliveTimeout: 0 }, (_, response) => {
      response.end(JSON.stringify({ status: true, content: recipients }))
    }).listen(0, '127.0.0.1')
    await once(source, 'listening')
    const { port } = source.address() as AddressInfo
    await call('POST', '/delivery/delivery', {
      ...{ name: 'Sale', min: 1, max: 1, gap: 1, has_email: false, has_sms: true, has_feed: false },
      ...{ data_url: `http://127.0.0.1:${port}/`, filters: {}, max_per_second: 0.001, sms_message: { en: 'Sale' } },
    })
    return { close: () => void source.close() }
  }

  /** The places of the rows that an export finds: `feed records`. */
  async function placesOf({ user, phone, email }: SamplePerson): Promise<string[]> {
    const { status, text } = await ask(`${url()}/person`, {
      method: 'POST',
      body: JSON.stringify({ user, phone, email }),
    })
    expect(status).toBe(200)
    const rows = text.split('\n').filter(Boolean)
    const places = rows.map((line) => JSON.parse(line) as { component: string; place: string })
    return [...new Set(places.map(({ component, place }) => `${component} ${place}`))].toSorted()
  }

  return { call, prepare, storePerson, startDelivery, placesOf }
}
