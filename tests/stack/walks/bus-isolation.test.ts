// Tests that a dead handler or webhook of the bus delays no other collection, with the real queue.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask } from '../http.ts'
import { only, start } from '../stack.ts'

const secret = 'the secret of this test'

/** Number of documents for the dead handler, more than the worker has daemons. */
const many = 40

const held = new Map<string, Set<ServerResponse>>()
const openAt = (path: string) => held.get(path)?.size ?? 0
const webhooks = new Set<string>()

/** Never replies to requests under `/dead`, and records those to `/hook/<name>`. */
const server = createServer((request, response) => {
  const path = request.url!
  if (path.startsWith('/hook/')) webhooks.add(path.slice('/hook/'.length))
  if (!path.startsWith('/dead')) return response.end('{}')
  const open = held.get(path) ?? new Set()
  held.set(path, open.add(response))
  return response.once('close', () => open.delete(response))
})

let stack: Stack
let place: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  stack = await start({
    components: only('bus', 'queue'),
    variables: { BOX_ADMIN_USER: 'root', BOX_ADMIN_SECRET: secret },
  })
})

afterAll(async () => {
  await stack.dispose()
  server.closeAllConnections()
  server.close()
})

async function post(path: string, params: object) {
  const body = JSON.stringify(params)
  const reply = await ask(`${stack.url}/bus${path}`, { method: 'POST', headers: { 'api-secret': secret }, body })
  expect(reply.status, reply.text).toBe(201)
}

const createCollection = (name: string, handler: string) =>
  post('/collection', { name, type: 'async', handler: place + handler })

const send = (collection: string, webhook: string) =>
  post('/document', { collection, event: 'e', uuid: crypto.randomUUID(), data: 1, webhook: place + webhook })

it('delivers a document at once while many wait for the dead handler of another collection', async () => {
  await createCollection('deadhandler', '/dead/handler')
  await createCollection('alive', '/handler')
  await Promise.all(Array.from({ length: many }, () => send('deadhandler', '/hook/dead')))
  await expect.poll(() => openAt('/dead/handler')).toBe(2)
  await send('alive', '/hook/alive')
  await expect.poll(() => webhooks.has('alive')).toBe(true)
  // The first two calls of the dead handler are still waiting for a reply.
  expect(openAt('/dead/handler')).toBe(2)
  expect(webhooks.has('dead')).toBe(false)
})

it('delivers a document at once while many wait for the dead webhook of another collection', async () => {
  await createCollection('deadwebhook', '/handler')
  await Promise.all(Array.from({ length: many }, () => send('deadwebhook', '/dead/webhook')))
  await expect.poll(() => openAt('/dead/webhook')).toBe(2)
  await send('alive', '/hook/other')
  await expect.poll(() => webhooks.has('other')).toBe(true)
  expect(openAt('/dead/webhook')).toBe(2)
})
