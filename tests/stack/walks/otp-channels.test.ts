// Tests a one-time password on every channel: it arrives, is accepted once, and counts for the limits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start } from '../stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await start({ components: only('otp', 'queue', 'sms', 'email') })
})

afterAll(() => stack.dispose())

const ask = async (method: string, path: string, params?: object) => askJson(`${stack.url}${path}`, method, params)

const contentOf = async (path: string, params?: object) =>
  ((await ask('GET', path, params)).body as { content?: Record<string, unknown> } | undefined)?.content

const smsTo = async (phone: string) => {
  const { messages } = (await contentOf('/sms/messages', { phone, count: true })) as { messages: { text: string }[] }
  return messages.map(({ text }) => text)
}

const mailTo = async (to: string) => {
  const { messages } = (await contentOf('/email/messages', { to })) as { messages: { text: string; html: string }[] }
  return messages.map(({ text, html }) => `${text}${html}`)
}

const chatTo = async (chat_id: string) => {
  const { messages } = (await contentOf('/otp/messages', { chat_id })) as { messages: { text: string }[] }
  return messages.map(({ text }) => text)
}

interface Channel {
  name: string
  /** Parameters that name the target: its type and its address. */
  target: Record<string, string>
  /** Type of target in the rules of the limits. */
  rules: string
  refusal: string
  /** The content parameters of a message with this password. */
  content: (password: string) => object
  /** All messages that have arrived on the channel. */
  arrived: () => Promise<string[]>
  /** The message as it arrives if it was sent with this password. */
  shown: (password: string) => string
}

const asItIs = (password: string) => password

const channels: Channel[] = [
  {
    name: 'sms',
    target: { phone: '+7 701 123-45-67' },
    rules: 'phones',
    refusal: 'phone_limit',
    content: (password) => ({ message: `Your code: ${password}` }),
    arrived: () => smsTo('77011234567'),
    shown: asItIs,
  },
  {
    name: 'call',
    target: { phone: '77017654321' },
    rules: 'phones',
    refusal: 'phone_limit',
    content: () => ({}),
    arrived: () => smsTo('77017654321'),
    shown: (password) => [...password].join(', '),
  },
  {
    name: 'email',
    target: { email: 'Ann@Example.com' },
    rules: 'emails',
    refusal: 'email_limit',
    content: (password) => ({ subject: 'Your code', html: `<p>Your code: <b>${password}</b></p>` }),
    arrived: () => mailTo('ann@example.com'),
    shown: asItIs,
  },
  {
    name: 'chatapp',
    target: { chat_id: '-1001234567890' },
    rules: 'chats',
    refusal: 'email_limit',
    content: (password) => ({ message: `Your code: ${password}` }),
    arrived: () => chatTo('-1001234567890'),
    shown: asItIs,
  },
]

const passwordOf = (n: number) => String(Math.floor(Math.random() * 100_000) * 10 + n).padStart(6, '0')
const done = { status: 200, body: { status: true } }

describe.each(channels)('a password by $name', ({ name, target, rules, refusal, content, arrived, shown }) => {
  const send = (password: string) =>
    ask('POST', `/otp/${name}`, { ...target, password, lifetime: 300, ip: '203.0.113.7', ...content(password) })
  const check = (password: string) => ask('GET', `/otp/${name}/check`, { ...target, password })

  it('arrives, is accepted once, and counts for the limit of five an hour', async () => {
    const rule = [{ minutes: 60, rate: 5 }]
    expect(await ask('POST', `/otp/limit/${name}`, { ips: [{ minutes: 60, rate: 100 }], [rules]: rule })).toEqual(done)
    const passwords = [1, 2, 3, 4, 5].map(passwordOf)
    expect(await send(passwords[0]!)).toEqual(done)
    await expect.poll(arrived).toEqual([expect.stringContaining(shown(passwords[0]!))])
    expect(await check('no password')).toMatchObject({ status: 200, body: { status: false } })
    expect(await check(passwords[0]!)).toEqual(done)
    expect(await check(passwords[0]!)).toMatchObject({ status: 200, body: { status: false } })
    for (const password of passwords.slice(1)) expect(await send(password)).toEqual(done)
    expect(await send('the sixth')).toMatchObject({ status: 429, body: { status: false, status_code: refusal } })
    await expect.poll(async () => (await arrived()).length).toBe(5)
  })
})

it('sends the user of the bot a password that identifies the chat', async () => {
  const update = {
    update_id: 1,
    message: { message_id: 1, date: 1, chat: { id: 42, type: 'private' }, text: '/start' },
  }
  expect(await ask('POST', '/otp/chatapp/webhook', update)).toEqual(done)
  expect(await ask('POST', '/otp/chatapp/webhook', update)).toEqual(done)
  await expect.poll(() => chatTo('42')).toEqual([expect.stringMatching(/^Your code: \d{6}$/)])
  const password = (await chatTo('42'))[0]!.slice(-6)
  expect(await contentOf('/otp/target', { channel: 'chatapp', password })).toEqual({ target: '42' })
  expect(await ask('GET', '/otp/chatapp/check', { chat_id: '42', password })).toEqual(done)
})
