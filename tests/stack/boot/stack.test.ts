// Tests `startStack`: which components and containers run, and which variables they get.
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask } from '../http.ts'
import { start, temporary } from '../stack.ts'
import { fixture } from './fixture.ts'

const stateDir = temporary()
const options = { components: [fixture], variables: { FIXTURE_GIVEN: 'given' }, stateDir }
let stack: Stack

beforeAll(async () => {
  stack = await start({ ...options, direct: ['badge'] })
})

afterAll(async () => {
  await stack.dispose()
  rmSync(stateDir, { recursive: true })
})

const env = async (url: string) => JSON.parse((await ask(`${url}/env`)).text)

it('starts the given components', async () => {
  expect((await ask(`${stack.url}/feed/_health`)).status).toBe(404)
})

it('starts no container of a component that does not run', () => {
  expect(stack.containers).toEqual({})
})

it('gives a component its variables, its configuration and the addresses of others', async () => {
  expect(await env(`${stack.url}/badge`)).toMatchObject({
    LOCAL: 'true',
    ALLOW_PRIVATE_TARGETS: 'true',
    FIXTURE_GIVEN: 'given',
    FIXTURE_VAR: 'from the configuration',
    SELF_URL: `${stack.url}/badge`,
    BADGE_URL: `${stack.url}/badge`,
    words: 'some words',
  })
})

it('sets no BASE_URL, so that links use the address of the request', async () => {
  expect(await env(`${stack.url}/badge`)).not.toHaveProperty('BASE_URL')
})

it('generates a missing required secret once, in a file that only its owner can read', async () => {
  const { FIXTURE_SECRET } = await env(`${stack.url}/badge`)
  expect(FIXTURE_SECRET).toMatch(/^[\w-]{43}$/)
  expect(stack.secrets.names).toEqual(['FIXTURE_SECRET'])
  expect(JSON.parse(readFileSync(stack.secrets.file, 'utf8'))).toEqual({ FIXTURE_SECRET })
  expect(statSync(stack.secrets.file).mode & 0o777).toBe(0o600)
  await stack.dispose()
  stack = await start({ ...options, direct: ['badge'] })
  expect((await env(`${stack.url}/badge`)).FIXTURE_SECRET).toBe(FIXTURE_SECRET)
})

it('keeps the files of a bucket over a restart, in the folder of wrangler', async () => {
  await ask(`${stack.url}/badge/file`, { method: 'PUT', body: 'some bytes' })
  await stack.dispose()
  stack = await start({ ...options, direct: ['badge'] })
  expect((await ask(`${stack.url}/badge/file`)).text).toBe('some bytes')
  expect(readdirSync(`${stateDir}/v3/r2/fixture-files/blobs`)).toHaveLength(1)
})

it('sweeps the components with the cron trigger of the gateway', async () => {
  await stack.sweep()
  expect(await env(`${stack.url}/badge`)).toMatchObject({ swept: 1 })
})

it('passes a request body on while it is still being sent', async () => {
  const sent = request(`${stack.url}/badge/stream`, { method: 'POST' })
  sent.write('first')
  const [reply] = await once(sent, 'response')
  const [chunk] = await once(reply, 'data')
  expect(String(chunk)).toBe('first')
  sent.end('second')
  expect(String((await once(reply, 'data'))[0])).toBe('second')
})

it('passes a WebSocket on', async () => {
  const socket = new WebSocket(`${stack.url.replace('http', 'ws')}/badge/socket`)
  await once(socket, 'open')
  socket.send('this')
  const [{ data }] = await once(socket, 'message')
  expect(data).toBe('heard this')
  socket.close()
})

it('answers 500 with the request id if a component breaks', async () => {
  const { status, text } = await ask(`${stack.url}/badge/break`, { headers: { 'x-request-id': 'r-1' } })
  expect([status, JSON.parse(text).status_code]).toEqual([500, 'internal_error'])
  expect(text).toContain('r-1')
})

it('gives a direct component an address without the gateway', async () => {
  expect(stack.origins.badge).not.toBe(stack.url)
  expect(await env(stack.origins.badge!)).toMatchObject({ LOCAL: 'true' })
})
