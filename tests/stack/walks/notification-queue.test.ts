// Tests that notifications go through the real queue once per idempotency key, and that no list shows their text.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask, askJson } from '../http.ts'
import { only, start } from '../stack.ts'

const names = ['notification', 'queue', 'sms']

let stack: Stack
const printed: string[] = []

beforeAll(async () => {
  stack = await start({
    components: only(...names),
    log: (line) => printed.push(line),
  })
})

afterAll(() => stack.dispose())

const call = async (method: string, path: string, params: object = {}) => {
  const { status, body } = await askJson(stack.url + path, method, params)
  expect({ status, body }).toMatchObject({ body: { status: true } })
  return (body as { content: Record<string, never> }).content
}

const secret = 'the-text-of-the-message'
const phone = '77011234567'

const pause = () => call('POST', '/queue/worker/pause', { worker: 'notification' })

const tasks = async () => {
  const { tasks } = await call('GET', '/queue/tasks', { worker: 'notification', limit: 1000 })
  return tasks as never as { id: string; state: string }[]
}

let codes = 0
const options = async (sms_message: string) => {
  const template = { name: 'x', code: `code-${codes++}`, has_sms: true, sms_message }
  const { notification } = await call('POST', '/notification/notification', template)
  return notification as never as { id: number; code: string }
}

const notify = (code: string, payload: object, headers: Record<string, string> = {}) =>
  ask(`${stack.url}/notification/notify`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ notification: code, locale: 'en', phone, payload }),
  })

beforeEach(pause)

it('queues one message for fifty calls with the same key', async () => {
  const before = (await tasks()).length
  const { code } = await options('Hi {{ name }}')
  const key = { 'idempotency-key': crypto.randomUUID() }
  const replies = await Promise.all(Array.from({ length: 50 }, () => notify(code, { name: 'Ann' }, key)))
  for (const { status } of replies) expect([200, 409]).toContain(status)
  const bodies = replies.filter(({ status }) => status === 200).map(({ text }) => text)
  expect(new Set([...bodies, (await notify(code, { name: 'Ann' }, key)).text]).size).toBe(1)
  expect((await tasks()).length).toBe(before + 1)
})

it('shows no text of a message in any list, nor in the log', async () => {
  const { id, code } = await options(`${secret} {{ name }}`)
  const { text } = await notify(code, { name: `${secret} of Ann` })
  const { task } = JSON.parse(text).content.channels.sms
  await call('DELETE', '/notification/notification', { id })
  const shown = [
    text,
    JSON.stringify(await call('GET', '/queue/task', { id: task })),
    JSON.stringify(await call('GET', '/queue/tasks', { worker: 'notification' })),
    JSON.stringify(await call('GET', '/queue/workers')),
    JSON.stringify(await call('GET', '/notification/notifications')),
    ...printed,
  ]
  expect(shown.join('\n')).toContain(task)
  for (const one of [secret, phone]) expect(shown.filter((line) => line.includes(one))).toEqual([])
})

it('sends the message as queued, also after its template changed', async () => {
  const { id, code } = await options('Before, {{ name }}')
  await notify(code, { name: 'Ann' })
  await call('PATCH', '/notification/notification', { id, sms_message: 'After, {{ name }}' })
  await notify(code, { name: 'Bob' })
  await call('DELETE', '/notification/notification', { id })
  await call('POST', '/queue/worker/resume', { worker: 'notification' })
  const texts = async () => {
    const { messages } = await call('GET', '/sms/messages', { limit: 1000 })
    return (messages as never as { text: string }[]).map(({ text }) => text).toSorted()
  }
  await expect.poll(texts).toEqual(expect.arrayContaining(['After, Bob', 'Before, Ann']))
  await expect.poll(async () => (await tasks()).every(({ state }) => state === 'done')).toBe(true)
  expect((await texts()).filter((text) => text.endsWith('Ann'))).toEqual([
    'Before, Ann',
    'Hi Ann',
    `${secret} ${secret} of Ann`,
  ])
})
