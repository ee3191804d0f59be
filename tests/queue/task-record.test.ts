// Tests of the record that is stored for a new task: its URL, its normalized fields and its encrypted secrets.
import { describe, expect, it } from 'vitest'
import { NewTask } from '#queue/contract'
import { seal, unseal } from '#queue/seal'
import { taskRecordOf } from '#queue/task-record'

const open = { QUEUE_SECRET: 'a secret' } as never

const record = (params: Record<string, unknown>, env = open) =>
  taskRecordOf(env, NewTask.parse({ worker: 'default', url: 'https://a.dev/', ...params }))

const urlOf = async (url: string, query_string?: unknown) => (await record({ url, query_string })).url

const textOf = (sealed: ArrayBuffer) => new TextDecoder('latin1').decode(sealed)

describe('the query of a request', () => {
  it('is the query of the URL, followed by a text or parameters', async () => {
    expect(await urlOf('https://a.dev/b')).toBe('https://a.dev/b')
    expect(await urlOf('https://a.dev', 'x=1&y=2')).toBe('https://a.dev/?x=1&y=2')
    expect(await urlOf('https://a.dev/b', '?x=1')).toBe('https://a.dev/b?x=1')
    expect(await urlOf('https://a.dev/b?a=1', 'x=1')).toBe('https://a.dev/b?a=1&x=1')
    expect(await urlOf('https://a.dev/b', { x: 'a b', y: 2, z: true })).toBe('https://a.dev/b?x=a+b&y=2&z=true')
    expect(await urlOf('https://a.dev/b?a=1', { 'x&': 'ü=&' })).toBe('https://a.dev/b?a=1&x%26=%C3%BC%3D%26')
  })

  it('keeps the existing part unchanged', async () => {
    const written = 'https://a.dev/%7e/b?z=%7E&a=+%20&a=%2f&b&=&c=(1)*!~'
    expect(await urlOf(written)).toBe(written)
    expect(await urlOf(written, 'x=1')).toBe(`${written}&x=1`)
    expect(await urlOf(written, { x: 1 })).toBe(`${written}&x=1`)
    expect(await urlOf(written, {})).toBe(written)
    expect(await urlOf(written, '?')).toBe(written)
    expect(await urlOf('https://a.dev/b?', { x: 1 })).toBe('https://a.dev/b?x=1')
  })

  it('does not end at a # in the text', async () => {
    expect(await urlOf('https://a.dev/b#c', 'x=1#d')).toBe('https://a.dev/b?x=1%23d#c')
  })

  it('counts towards the maximum length of a URL', async () => {
    const refusal = { errors: { url: 'url must be a URL of at most 2000 characters.' } }
    await expect(record({ url: 'https://a.dev/', query_string: 'x'.repeat(1_990) })).rejects.toMatchObject(refusal)
  })
})

describe('the record of a task', () => {
  it('is normalized: method in upper case, header names in lower case, times in milliseconds', async () => {
    const params = { method: 'patch', headers: { 'X-One': '1', 'content-TYPE': 'text/plain' }, body: 'a' }
    expect(await record({ ...params, timeout: 1.5, sleep: 7, retries: 3, retry_delay: 0.25 })).toEqual({
      due_at: expect.any(Number),
      expires_at: null,
      method: 'PATCH',
      url: 'https://a.dev/',
      headers: '{"x-one":"1","content-type":"text/plain"}',
      json: null,
      body: 'a',
      sealed: null,
      is_sealed: 0,
      request_id: null,
      priority: null,
      key: null,
      labels: null,
      on_success: null,
      on_failure: null,
      timeout: 1_500,
      sleep: 7,
      retries: 3,
      retry_delay: 250,
    })
  })

  it('is due after a delay, at a time, or now if the time has passed', async () => {
    const before = Date.now()
    const dueAt = async (params: object) => (await record({ ...params })).due_at
    expect(await dueAt({ delay: 3_600.5 })).toBeGreaterThanOrEqual(before + 3_600_500)
    expect(await dueAt({ datetime: '2100-01-01 00:00:00' })).toBe(Date.UTC(2100, 0, 1))
    expect(await dueAt({ datetime: '2099-12-31T23:00:00-01:00' })).toBe(Date.UTC(2100, 0, 1))
    for (const due of [await dueAt({ datetime: '2000-01-01' }), await dueAt({}), await dueAt({ delay: 0 })]) {
      expect(due).toBeGreaterThanOrEqual(before)
      expect(due).toBeLessThanOrEqual(Date.now())
    }
  })

  it('keeps its JSON unchanged', async () => {
    expect((await record({ json: JSON.parse('{"b":1,"a":[],"__proto__":{}}') })).json).toBe(
      '{"b":1,"a":[],"__proto__":{}}',
    )
  })
})

describe('secrets', () => {
  const secrets = { headers: { authorization: 'Bearer swordfish' }, json: '{"pin":"swordfish"}', body: 'ü\0' }

  it('are decrypted unchanged', async () => {
    expect(await unseal('a', await seal('a', secrets))).toEqual(secrets)
    expect(await unseal('a', await seal('a', {}))).toEqual({})
  })

  it('cannot be decrypted with another secret, or if a bit has changed', async () => {
    const sealed = await seal('a', secrets)
    await expect(unseal('b', sealed)).rejects.toThrow()
    await expect(unseal(undefined, sealed)).rejects.toThrow()
    for (const at of [0, 12, sealed.byteLength - 1]) {
      const changed = new Uint8Array(sealed.slice(0))
      changed[at]! ^= 1
      await expect(unseal('a', changed.buffer)).rejects.toThrow()
    }
  })

  it('cannot be read from the stored bytes, nor compared', async () => {
    const [one, two] = [await seal('a', secrets), await seal('a', secrets)]
    expect(textOf(one)).not.toContain('swordfish')
    expect(textOf(one)).not.toContain('authorization')
    expect(textOf(one)).not.toBe(textOf(two))
  })

  it('are the secret headers, and with `confidential` the JSON or the body', async () => {
    const hidden = await record({ json: { a: 1 }, confidential: true, headers: { 'x-open': '1' } })
    expect(hidden).toMatchObject({ json: null, body: null, headers: '{"x-open":"1"}', is_sealed: 1 })
    expect(await unseal('a secret', hidden.sealed!)).toEqual({ json: '{"a":1}' })
    const raw = await record({ body: '', confidential: true, secret_headers: { 'X-Key': 'k' } })
    expect(raw).toMatchObject({ json: null, body: null, headers: null, is_sealed: 1 })
    expect(await unseal('a secret', raw.sealed!)).toEqual({ headers: { 'x-key': 'k' }, body: '' })
    expect(await record({ body: 'a', secret_headers: { 'X-Key': 'k' } })).toMatchObject({ body: 'a', is_sealed: 1 })
  })

  it('need QUEUE_SECRET, and tasks without secrets do not', async () => {
    const refusal = { status: 503, message: expect.stringContaining('QUEUE_SECRET') }
    const none = {} as never
    await expect(record({ secret_headers: { a: 'b' } }, none)).rejects.toMatchObject(refusal)
    await expect(record({ json: {}, confidential: true }, none)).rejects.toMatchObject(refusal)
    expect(await record({ confidential: true }, none)).toMatchObject({ sealed: null, is_sealed: 0 })
    expect(await record({ json: {} }, none)).toMatchObject({ sealed: null, json: '{}' })
  })
})
