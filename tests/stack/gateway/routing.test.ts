// Tests how the gateway routes requests to components, by path and by subdomain, in a real stack.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { describedWhole } from '../described.ts'
import { ask, askJson, open } from '../http.ts'
import { start } from '../stack.ts'

let stack: Stack
const lines: string[] = []

beforeAll(async () => {
  stack = await start({ log: (line) => lines.push(line) })
  await askJson(`${stack.url}/feed/collection`, 'POST', { name: 'news' })
})

afterAll(() => stack.dispose())

const announce = (recipient: string, title: string) =>
  askJson(`${stack.url}/feed/record`, 'POST', { collection: 'news', recipient, title })

describe('a component', () => {
  it('answers under its path, a GET with a JSON body included', async () => {
    await announce('ann', 'first')
    const { status, body } = await askJson(`${stack.url}/feed/records`, 'GET', { collection: 'news', recipient: 'ann' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ content: { records: [{ title: 'first' }] } })
  })

  it('answers under its subdomain', async () => {
    const { host } = new URL(stack.url)
    await announce('bob', 'second')
    const { text } = await ask(`${stack.url}/records`, {
      headers: { host: `feed.${host}` },
      body: '{"collection":"news","recipient":"bob"}',
    })
    expect(JSON.parse(text).content.records).toHaveLength(1)
  })

  it('accepts a DELETE with a JSON body', async () => {
    await announce('cat', 'third')
    const { body } = await askJson(`${stack.url}/feed/records`, 'DELETE', { collection: 'news', recipient: 'cat' })
    expect(body).toMatchObject({ status: true, content: { deleted: 1 } })
  })

  it('has the address of the request in its OpenAPI document', async () => {
    const serverOf = async (url: string, headers = {}) => JSON.parse((await ask(url, { headers })).text).servers[0].url
    const host = `feed.${new URL(stack.url).host}`
    expect(await serverOf(`${stack.url}/feed/_openapi.json`)).toBe(`${stack.url}/feed`)
    expect(await serverOf(`${stack.url}/_openapi.json`, { host })).toBe(`http://${host}`)
  })

  it('answers HEAD like GET, without the body', async () => {
    const { status, text, headers } = await ask(`${stack.url}/feed/_health`, { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
    expect(headers['content-type']).toContain('application/json')
  })

  it('gets the path and the query unchanged', async () => {
    await ask(stack.url, { path: '/catcher/a%2Fb//c%20d/%C3%A4?e=%26&f=1+2&f=%2B' })
    const { text } = await ask(`${stack.url}/catcher/_last_request_`)
    expect(JSON.parse(text)).toMatchObject({ query: { e: '&', f: ['1 2', '+'] } })
    expect(JSON.parse(text).path).toMatch(/^\/a%2Fb\/\/c%20d\//)
  })
})

describe('an unknown path', () => {
  it('gets a JSON 404', async () => {
    const { status, body } = await askJson(`${stack.url}/nope/x`, 'POST', {})
    expect([status, body]).toEqual([
      404,
      expect.objectContaining({ status: false, status_code: 'component_not_found' }),
    ])
  })
})

describe('a body', () => {
  it('of 10 MB is rejected with JSON, without a reset of the connection', async () => {
    const body = JSON.stringify({ collection: 'news', recipient: 'x'.repeat(10_000_000) })
    const reply = await ask(`${stack.url}/feed/record`, { method: 'POST', body })
    expect(reply.status).toBe(413)
    expect(JSON.parse(reply.text)).toMatchObject({ status: false, status_code: 'payload_too_large' })
  })
})

describe('server-sent events', () => {
  it('arrive while the connection is open', async () => {
    const reply = await open(`${stack.url}/feed/stream?collection=news&recipient=dan`)
    expect(reply.headers['content-type']).toContain('text/event-stream')
    const events = new Promise<string>((resolve) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
        if (text.includes('fourth')) resolve(text)
      })
    })
    await announce('dan', 'fourth')
    expect(await events).toContain('event: record')
    expect(reply.complete).toBe(false)
    const database = await stack.database('feed')
    const listeners = async () =>
      (await database.prepare('SELECT count(*) AS n FROM feed_listeners').first<{ n: number }>())!.n
    expect(await listeners()).toBe(1)
    reply.destroy()
    await expect.poll(listeners, { timeout: 120_000 }).toBe(0)
  })
})

describe('the gateway', () => {
  it('lists every component, all of them up', async () => {
    const states = async () => {
      const { text } = await ask(stack.url, { headers: { accept: 'application/json' } })
      return JSON.parse(text).content.components.map(({ state }: { state: string }) => state)
    }
    // Polls, since a component that starts slowly is down at first.
    await expect.poll(states).toEqual(stack.components.map(() => 'up'))
  })

  it('merges their OpenAPI documents', async () => {
    const { paths, servers } = await describedWhole(stack)
    expect(servers).toEqual([{ url: stack.url }])
    const prefixes = Object.keys(paths).map((path) => path.split('/')[1])
    expect(new Set(prefixes)).toEqual(new Set([...stack.components, 'person', 'operation']))
    const operations = Object.values(paths).flatMap((path) => Object.values(path as object))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('logs a request with the same id as the component, as JSON', async () => {
    await ask(`${stack.url}/feed/_health`, { headers: { 'x-request-id': 'one-id' } })
    await expect.poll(() => lines.filter((line) => line.includes('one-id'))).toHaveLength(1)
    expect(JSON.parse(lines.find((line) => line.includes('one-id'))!)).toMatchObject({ component: 'feed', status: 200 })
  })

  it('sweeps the components with its cron trigger', async () => {
    await stack.sweep()
    expect(lines.filter((line) => line.includes('sweep'))).toEqual([])
  })
})
