// Operations of sms, email, otp and notification in the load of a soak test. Each checks that its message arrived at
// the local stand-in of the provider.
import type { ComponentMix, SoakWorld } from './operation.ts'

const phoneOf = ({ random }: SoakWorld) => `7701${String(random.between(0, 9_999_999)).padStart(7, '0')}`

interface Caught {
  messages: { text: string }[]
}

/** Polls for the last message to a phone until there is one. */
const smsTo = ({ call, until }: SoakWorld, phone: string) =>
  until('The SMS', async () => (await call<Caught>('POST', '/sms/messages', { phone, limit: 1 })).messages[0])

const mailTo = ({ call, until }: SoakWorld, to: string) =>
  until('The mail', async () => (await call<Caught>('POST', '/email/messages', { to, limit: 1 })).messages[0])

export const sms: ComponentMix = {
  operations: [
    {
      name: 'sms: send, and find it',
      weight: 3,
      run: async (world) => {
        const phone = phoneOf(world)
        const body = { phones: [phone, phoneOf(world)], message: 'Your order is on its way.' }
        await world.ask('POST', '/sms/sms', { body, headers: { 'idempotency-key': world.unique() } })
        await smsTo(world, phone)
      },
    },
    {
      name: 'sms: on the blacklist and off',
      weight: 1,
      run: async (world) => {
        const phone = phoneOf(world)
        await world.ask('POST', '/sms/blacklist', { body: { phone } })
        await world.ask('POST', '/sms/blacklist/search', { body: { phone } })
        await world.ask('DELETE', '/sms/blacklist', { body: { phone } })
      },
    },
  ],
}

export const email: ComponentMix = {
  operations: [
    {
      name: 'email: send, and find it',
      weight: 2,
      run: async (world) => {
        const to = `${world.unique()}@example.com`
        const content = Buffer.alloc(world.random.between(1, 60_000), 'x').toString('base64')
        const attachments = world.random.share() < 1 / 4 ? [{ filename: 'note.txt', content }] : []
        const body = { to, subject: 'Welcome', html: '<p>Good to <b>have</b> you here.</p>', attachments }
        await world.ask('POST', '/email/smtp', { body, headers: { 'idempotency-key': world.unique() } })
        await mailTo(world, to)
      },
    },
  ],
}

const passwordOf = ({ random }: SoakWorld) => String(random.between(100_000, 999_999))

async function check({ ask }: SoakWorld, path: string, body: object) {
  const { bytes } = await ask('POST', path, { body })
  if (!bytes.toString().startsWith('{"status":true')) throw new Error('A password that was sent is not right')
}

export const otp: ComponentMix = {
  prepare: async ({ ask }) => {
    await ask('POST', '/otp/limit/sms', {
      body: { phones: [{ minutes: 1, rate: 50 }], ips: [{ minutes: 1, rate: 10_000 }] },
    })
  },
  operations: [
    {
      name: 'otp: by SMS, read and checked',
      weight: 2,
      run: async (world) => {
        const [phone, password] = [phoneOf(world), passwordOf(world)]
        const message = `Your code: ${password}`
        await world.ask('POST', '/otp/sms', { body: { phone, password, lifetime: 300, message, ip: '203.0.113.7' } })
        const { text } = await smsTo(world, phone)
        await check(world, '/otp/sms/check', { phone, password: text.replace(/\D/g, '') })
      },
    },
    {
      name: 'otp: by email, read and checked',
      weight: 1,
      run: async (world) => {
        const [to, password] = [`${world.unique()}@example.com`, passwordOf(world)]
        const body = { email: to, password, lifetime: 300, subject: 'Your code', text: `Your code: ${password}` }
        await world.ask('POST', '/otp/email', { body })
        const { text } = await mailTo(world, to)
        await check(world, '/otp/email/check', { email: to, password: /\d{6}/.exec(text)?.[0] })
      },
    },
    {
      name: 'otp: by bot, looked up',
      weight: 1,
      run: async (world) => {
        const chat_id = world.random.between(1, 1e9)
        const body = { update_id: world.random.between(1, 1e15), message: { chat: { id: chat_id }, text: '/start' } }
        await world.ask('POST', '/otp/chatapp/webhook', { body })
        const { password } = await world.call<{ password: string }>('POST', '/otp/password', {
          target: String(chat_id),
        })
        await check(world, '/otp/chatapp/check', { chat_id, password })
      },
    },
  ],
}

export const notification: ComponentMix = {
  prepare: async ({ ask }) => {
    await ask('POST', '/feed/collection', { body: { name: 'notified' } })
    const channels = { has_email: true, has_sms: true, has_feed: true }
    const email_subject = { en: 'Order {{ order }} is on its way', kk: '{{ order }} тапсырысы жолда' }
    const email_html = { en: '<p>Hello, {{ name }}!</p>', kk: '<p>Сәлем, {{ name }}!</p>' }
    const texts = { email_subject, email_html, sms_message: '{{ name }}: {{ order }}', feed_title: 'On its way' }
    await ask('POST', '/notification/notification', { body: { name: 'Soak', code: 'soak', ...channels, ...texts } })
  },
  operations: [
    {
      name: 'notification: by three channels, all arrived',
      weight: 1.5,
      run: async (world) => {
        const [recipient, phone] = [world.unique(), phoneOf(world)]
        const to = `${recipient}@example.com`
        const payload = { name: 'Aigerim', order: world.random.between(1, 1e6) }
        const targets = { email: to, phone, feed_collection: 'notified', feed_recipient: recipient }
        const body = { notification: 'soak', locale: 'kk-KZ', ...targets, payload }
        await world.ask('POST', '/notification/notify', { body })
        const path = `/feed/records/count?collection=notified&recipient=${recipient}`
        const inFeed = () => world.call<{ records: number }>('GET', path)
        await Promise.all([
          smsTo(world, phone),
          mailTo(world, to),
          world.until('The record in the feed', async () => (await inFeed()).records > 0),
        ])
      },
    },
    {
      name: 'notification: preview',
      weight: 2,
      run: async (world) => {
        const payload = { name: 'Bob', order: world.random.between(1, 1e6) }
        await world.ask('POST', '/notification/notification/preview', { body: { code: 'soak', locale: 'en', payload } })
      },
    },
  ],
}
