import { rm } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start, temporary } from '../stack.ts'

const stateDir = temporary()
let stack: Stack | undefined

afterAll(async () => {
  await stack?.dispose()
  await rm(stateDir, { recursive: true, maxRetries: 5 })
})

async function restart(AUTH_TOKENS: string) {
  const port = stack ? Number(new URL(stack.url).port) : 0
  await stack?.dispose()
  const components = only('access', 'notification', 'queue', 'sms')
  stack = await start({ components, stateDir, port, variables: { AUTH_TOKENS } })
}

const call = async (token: string, method: string, path: string, params?: object) => {
  const { status, body } = await askJson(stack!.url + path, method, params, { authorization: `Bearer ${token}` })
  return { status, content: (body as { content?: Record<string, unknown> } | undefined)?.content }
}

it('a task that waits while the token is replaced at once is sent', async () => {
  await restart('old')
  expect((await call('old', 'POST', '/queue/worker/pause', { worker: 'notification' })).status).toBe(200)
  const template = { name: 'x', code: 'waiting', has_sms: true, sms_message: 'Hello' }
  await call('old', 'POST', '/notification/notification', template)
  const target = { notification: 'waiting', locale: 'en', phone: '77011234567', payload: {} }
  expect((await call('old', 'POST', '/notification/notify', target)).status).toBe(200)
  await restart('new')
  expect((await call('old', 'GET', '/queue/workers')).status).toBe(401)
  expect((await call('new', 'POST', '/queue/worker/resume', { worker: 'notification' })).status).toBe(200)
  await expect
    .poll(async () => (await call('new', 'GET', '/sms/messages', { phone: '77011234567' })).content)
    .toMatchObject({ messages: [{ text: 'Hello' }] })
})

it('a key may create tasks, but none with a service token', async () => {
  const { content } = await call('new', 'POST', '/access/key', { name: 'worker', scopes: ['queue:write'] })
  const { secret } = content as { secret: string }
  const task = { worker: 'default', url: `${stack!.url}/sms/sms`, json: { phones: '77011234568', message: 'Hi' } }
  expect((await call(secret, 'POST', '/queue/task', { ...task, service: 'sms' })).status).toBe(403)
  expect((await call(secret, 'POST', '/queue/task', task)).status).toBe(200)
  const elsewhere = { ...task, url: `${stack!.url}/catcher/x`, service: 'sms' }
  expect((await call('new', 'POST', '/queue/task', elsewhere)).status).toBe(400)
  const tricky = { ...task, url: `${stack!.url}/sms/../catcher/x`, service: 'sms' }
  expect((await call('new', 'POST', '/queue/task', tricky)).status).toBe(400)
  expect((await call('new', 'POST', '/queue/task', { ...task, service: 'sms' })).status).toBe(200)
  await expect
    .poll(async () => (await call('new', 'GET', '/sms/messages', { phone: '77011234568' })).content)
    .toMatchObject({ messages: [{ text: 'Hi' }] })
})
