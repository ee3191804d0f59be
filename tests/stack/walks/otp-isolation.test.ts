// Tests that messages by one channel are sent although another channel's provider hangs.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start } from '../stack.ts'

/** A provider that accepts requests, and never replies. */
const provider = createServer((request) => request.resume())

let stack: Stack

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  const variables = { PROVIDER_A_DRIVER: 'http', PROVIDER_A_URL: `http://127.0.0.1:${port}/` }
  stack = await start({ components: only('otp', 'queue', 'sms', 'email', 'notification'), variables })
})

afterAll(async () => {
  await stack.dispose()
  provider.closeAllConnections()
  provider.close()
})

const ask = async (method: string, path: string, params?: object) => {
  const { body } = await askJson(stack.url + path, method, params)
  expect(body).toMatchObject({ status: true })
  return (body as { content: Record<string, never> }).content
}

const phoneOf = (n: number) => `7701${String(n).padStart(7, '0')}`

/** Counts the tasks of a worker that lead to the SMS component, by whether they were attempted. */
const textsOf = async (worker: string) => {
  const { tasks } = await ask('GET', '/queue/tasks', { worker, limit: 1_000 })
  const texts = (tasks as never as { key: string; attempts: number }[]).filter(({ key }) => key === 'sms')
  return {
    tried: texts.filter(({ attempts }) => attempts > 0).length,
    untried: texts.filter(({ attempts }) => attempts === 0).length,
  }
}

const mailTo = async (to: string) => {
  const { messages } = await ask('GET', '/email/messages', { to })
  return (messages as never as unknown[]).length
}

it('sends one-time passwords by email while 40 wait for an SMS provider that hangs', async () => {
  for (let n = 0; n < 40; n++)
    await ask('POST', '/otp/sms', { phone: phoneOf(n), password: '493027', lifetime: 600, message: 'Code: 493027' })
  await expect.poll(async () => (await textsOf('otp')).tried).toBeGreaterThan(0)

  const email = { email: 'ann@example.com', password: '604418', lifetime: 600, subject: 'Code', text: 'Code: 604418' }
  await ask('POST', '/otp/email', email)
  await expect.poll(() => mailTo('ann@example.com'), { interval: 100 }).toBe(1)

  // At least one password was never sent to the provider: the email overtook it.
  expect((await textsOf('otp')).untried).toBeGreaterThan(0)
})

it('sends notifications by email while 40 wait for an SMS provider that hangs', async () => {
  const texts = { has_sms: true, sms_message: 'Hi', has_email: true, email_subject: 'Hi', email_html: '<p>Hi</p>' }
  await ask('POST', '/notification/notification', { name: 'Hi', code: 'hi', ...texts })
  const notify = (to: object) => ask('POST', '/notification/notify', { notification: 'hi', locale: 'en', ...to })
  for (let n = 0; n < 40; n++) await notify({ phone: phoneOf(1_000 + n) })
  await notify({ email: 'bob@example.com' })
  await expect.poll(() => mailTo('bob@example.com'), { interval: 100 }).toBe(1)
  expect((await textsOf('notification')).untried).toBeGreaterThan(0)
})
