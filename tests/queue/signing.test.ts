// Tests of the signatures of requests, which receivers verify with the public keys of `/.well-known/jwks.json`.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Env } from '#queue/bindings'
import { publicKeysOf, signed } from '#queue/signing'
import { sendRequest, type TaskRequest } from '#queue/task-request'
import { ask } from '../support/requests.ts'
import type { Visit } from '../support/visits.ts'
import { add, fresh, place, target, under, until } from './support.ts'

const next = new Uint8Array(32).fill(7).toBase64()
const { QUEUE_SIGNING_KEY } = env as unknown as Env

/** The keys whose signature a request has. */
async function signersOf({ headers, body }: Pick<Visit, 'headers' | 'body'>, keys: { x: string }[]) {
  const message = new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ')
  const isSigner = async ({ x }: { x: string }) => {
    const bytes = Uint8Array.fromBase64(x, { alphabet: 'base64url' })
    const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
    const verify = (one: string) =>
      crypto.subtle.verify('Ed25519', key, Uint8Array.fromBase64(one.replace(/^v1a,/, '')), message)
    return (await Promise.all(signatures.map(verify))).includes(true)
  }
  const checked = await Promise.all(keys.map(async (key) => ({ key, isSigner: await isSigner(key) })))
  return checked.filter(({ isSigner }) => isSigner).map(({ key }) => key.x)
}

const publicKeys = async () => (await ask('GET', '/.well-known/jwks.json')).json as unknown as { keys: { x: string }[] }

describe('a request', () => {
  it.each([
    ['JSON', { json: { a: 'ü' } }],
    ['text', { body: 'a=ü', headers: { 'content-type': 'text/plain' } }],
    ['bytes', { body_base64: btoa('abc') }],
    ['no body', {}],
    ['a GET with JSON', { method: 'GET', json: { a: 1 } }],
    ['a confidential body', { json: { a: 1 }, confidential: true }],
    ['secret headers', { json: { a: 1 }, secret_headers: { 'x-a': 'b' } }],
  ])('with %s is signed over its bytes', async (_, params) => {
    const { url, arrived } = place()
    const id = await add({ worker: fresh(), url, ...params })
    const [visit] = await arrived(1)
    const { keys } = await publicKeys()
    expect(await signersOf(visit!, keys)).toEqual(keys.map(({ x }) => x))
    expect(visit!.headers['webhook-id']).toBe(id)
    expect(Number(visit!.headers['webhook-timestamp'])).toBeGreaterThan(Date.now() / 1_000 - 60)
  })

  it('has the same id in each attempt', async () => {
    const { url, arrived } = place({ statuses: '500,200' })
    await add({ worker: fresh(), url, retries: 1, retry_delay: 0 })
    const [first, second] = await arrived(2)
    expect(first!.headers['webhook-id']).toBe(second!.headers['webhook-id'])
  })

  it('for a piece of a fraction has an id with the piece', async () => {
    const { url, arrived } = place()
    const id = await add({ worker: fresh(), url, min: -5, max: 9, gap: 10 })
    const visits = await arrived(2)
    expect(visits.map(({ headers }) => headers['webhook-id'])).toEqual([`${id}:-5-4`, `${id}:5-9`])
    const { keys } = await publicKeys()
    for (const visit of visits) expect(await signersOf(visit, keys)).toHaveLength(1)
  })
})

const request: TaskRequest = {
  ...{ id: 'a-1', attempt: 1, method: 'POST', url: target('/echo'), timeout: 5_000, piece: null, request_id: null },
  ...{ headers: null, json: '{"a":1}', body: null, sealed: null },
}

describe('the keys', () => {
  it('both sign while two are set, and both are public', async () => {
    const two = { QUEUE_SIGNING_KEY: QUEUE_SIGNING_KEY!, QUEUE_NEXT_SIGNING_KEY: next }
    const keys = await publicKeysOf(two)
    expect(keys).toEqual([
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: expect.any(String), use: 'sig', alg: 'EdDSA' },
      expect.objectContaining({ alg: 'EdDSA' }),
    ])
    const { headers = {} } = await signed(
      two,
      { id: 'a-1', piece: null },
      { method: 'POST', url: 'http://a.dev/', body: 'x' },
    )
    expect(headers['webhook-signature']).toMatch(/^v1a,\S+ v1a,\S+$/)
    expect(await signersOf({ headers, body: 'x' }, keys)).toHaveLength(2)
  })

  it('may be absent: then requests are not signed', async () => {
    expect(await publicKeysOf({})).toEqual([])
    const outgoing = { method: 'POST', url: 'http://a.dev/', json: {} }
    expect(await signed({}, { id: 'a-1', piece: null }, outgoing)).toBe(outgoing)
    const outcome = await sendRequest({ ALLOW_PRIVATE_TARGETS: 'true' } as never, request)
    expect(outcome).toMatchObject({ status: 200 })
    expect(outcome.response).not.toContain('webhook-signature')
  })

  it.each(['base64', 'base64url', 'whsk_'])('may be in %s', async (form) => {
    const bytes = new Uint8Array(32).fill(251)
    const text = form === 'whsk_' ? `whsk_${bytes.toBase64()}` : bytes.toBase64({ alphabet: form as 'base64' })
    const [expected] = await publicKeysOf({ QUEUE_SIGNING_KEY: bytes.toBase64() })
    expect(await publicKeysOf({ QUEUE_SIGNING_KEY: text.replace(/=+$/, '') })).toEqual([expected])
  })

  it.each(['QUEUE_SIGNING_KEY', 'QUEUE_NEXT_SIGNING_KEY'])('are checked: an invalid %s gets 503', async (name) => {
    for (const value of ['x', btoa('short'), new Uint8Array(33).toBase64()]) {
      const response = await under({ [name]: value })('http://queue/workers')
      expect(response.status).toBe(503)
      expect(await response.text()).toContain(`${name} must be`)
    }
  })
})

it.each(['webhook-id', 'Webhook-Timestamp', 'webhook-signature'])(
  'a task that sets %s itself is refused',
  async (header) => {
    for (const name of ['headers', 'secret_headers']) {
      const params = { worker: fresh(), url: target('/'), [name]: { [header]: 'a' } }
      expect(await ask('POST', '/task', params)).toMatchObject({
        status: 400,
        json: { errors: { [name]: expect.any(String) } },
      })
    }
  },
)

it('a signature is not sent to another origin after a redirect', async () => {
  const { url, arrived } = place()
  const other = url.replace('127.0.0.1', 'localhost')
  const id = await add({
    worker: fresh(),
    url: target(`/redirect?status=307&to=${encodeURIComponent(other)}`),
    json: {},
  })
  await until(id, 'done')
  expect((await arrived(1))[0]!.headers).not.toHaveProperty('webhook-signature')
})
