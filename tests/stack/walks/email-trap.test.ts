// Tests the mail trap of a stack without an SMTP server: it stores every mail, and the API lists them.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { ask, askJson } from '../http.ts'
import { only, start, temporary } from '../stack.ts'

const email = only('email')

interface Message {
  id: string
  subject: string
  envelope: { to: string[] }
}

let stack: Stack
let stateDir: string

beforeAll(async () => {
  stateDir = temporary()
  stack = await start({ components: email, stateDir })
})

afterAll(async () => {
  await stack.dispose()
  rmSync(stateDir, { recursive: true, force: true })
})

const at = (path: string) => `${stack.url}/email${path}`
const send = (mail: object) => askJson(at('/smtp'), 'POST', { to: 'ann@example.com', text: 'Hi', ...mail })

const list = async (params: object = {}) => {
  const { status, body } = await askJson(at('/messages'), 'GET', params)
  expect(status).toBe(200)
  return (body as { content: { messages: Message[]; nb_results?: number } }).content
}

const subjects = async (params?: object) => (await list(params)).messages.map(({ subject }) => subject)

describe('a stack without an SMTP server', () => {
  afterEach(() => askJson(at('/messages'), 'DELETE'))

  it('stores mail and shows it', async () => {
    const sent = await send({
      ...{ subject: 'Çok güzel', to: 'Ann <ann@example.com>, bob@example.com', bcc: 'eve@example.com' },
      ...{ html: '<p>Hi</p>', headers: { 'X-Kind': 'test' } },
      attachments: [{ filename: 'a.txt', content: btoa('hello') }],
    })
    expect(sent.status).toBe(201)
    const { messages, nb_results } = await list({ count: true })
    expect(nb_results).toBe(1)
    expect(messages[0]).toMatchObject({
      ...{ from: 'Quartermaster <noreply@localhost.localdomain>', subject: 'Çok güzel' },
      ...{ to: ['Ann <ann@example.com>', 'bob@example.com'], cc: [], text: 'Hi\n', html: '<p>Hi</p>\n' },
      ...{ attachments: [{ filename: 'a.txt', content_type: 'text/plain', size: 5, cid: null }] },
      envelope: {
        from: 'noreply@localhost.localdomain',
        to: ['ann@example.com', 'bob@example.com', 'eve@example.com'],
      },
      headers: { 'x-kind': 'test' },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
    const { body } = await askJson(at('/message'), 'GET', { id: messages[0]!.id })
    expect((body as { content: unknown }).content).toEqual({ message: messages[0] })
    const raw = await ask(at(`/message/raw?id=${messages[0]!.id}`))
    expect(raw.headers['content-type']).toBe('message/rfc822')
    expect(raw.text).toMatch(/^From: Quartermaster <noreply@localhost\.localdomain>\r$/m)
    expect(raw.text).not.toContain('eve@example.com')
  })

  it('lists mail newest first, by recipient and by subject', async () => {
    for (const subject of ['one', 'two', 'three']) await send({ subject, bcc: `${subject}@example.com` })
    expect(await subjects()).toEqual(['three', 'two', 'one'])
    expect(await subjects({ limit: 1, offset: 1 })).toEqual(['two'])
    expect(await subjects({ to: 'TWO@' })).toEqual(['two'])
    expect(await subjects({ subject: 'T' })).toEqual(['three', 'two'])
    expect(await list({ subject: 'nothing', count: true })).toEqual({ messages: [], nb_results: 0 })
    const filter = { to: 'TWO@', count: true }
    expect(await askJson(at('/messages'), 'POST', filter)).toEqual(await askJson(at('/messages'), 'GET', filter))
    expect(await askJson(at('/messages'), 'POST', { limit: 0 })).toMatchObject({ status: 400 })
  })

  it('answers 404 for unknown mail', async () => {
    expect(await askJson(at('/message'), 'GET', { id: '../secrets' })).toMatchObject({
      status: 404,
      body: { status_code: 'message_not_found' },
    })
  })

  it('deletes mail', async () => {
    await send({ subject: 'one' })
    expect(await askJson(at('/messages'), 'DELETE')).toMatchObject({ status: 200 })
    expect(await subjects()).toEqual([])
    expect(readdirSync(join(stateDir, 'mail'))).toEqual([])
  })

  it('is healthy', async () => {
    expect(await askJson(at('/_health'), 'GET')).toMatchObject({
      status: 200,
      body: { content: { dependencies: { smtp: { state: 'up' } } } },
    })
  })

  it('keeps mail over a restart', async () => {
    await send({ subject: 'before' })
    await stack.dispose()
    stack = await start({ components: email, stateDir })
    await send({ subject: 'after' })
    expect(await subjects()).toEqual(['after', 'before'])
  })
})

describe('a stack with a media service', () => {
  it('sends files of media as attachments', async () => {
    const both = await start({ components: only('email', 'media'), containers: [] })
    try {
      const form = new FormData()
      form.append('file', new Blob(['a file\n'.repeat(100_000)], { type: 'text/plain' }), 'a.txt')
      const stored = await fetch(`${both.url}/media/file`, { method: 'POST', body: form })
      const { digest } = (await stored.json()) as { digest: string }
      const mail = { subject: 'Hello', to: 'ann@example.com', text: 'Hi', attachments: [{ filename: 'b.txt', digest }] }
      expect(await askJson(`${both.url}/email/smtp`, 'POST', mail)).toMatchObject({ status: 201 })
      expect(await askJson(`${both.url}/email/messages`, 'GET')).toMatchObject({
        body: {
          content: { messages: [{ attachments: [{ filename: 'b.txt', content_type: 'text/plain', size: 700_000 }] }] },
        },
      })
    } finally {
      await both.dispose()
    }
  })
})

describe('a stack with an SMTP server', () => {
  it('stores no mail', async () => {
    const other = await start({ components: email, variables: { SMTP_HOST: '127.0.0.1', SMTP_PORT: '1' } })
    try {
      const { status, body } = await askJson(`${other.url}/email/messages`, 'GET')
      expect({ status, body }).toMatchObject({ status: 404, body: { status_code: 'route_not_found' } })
      expect(await askJson(`${other.url}/email/_health`, 'GET')).toMatchObject({ status: 503 })
    } finally {
      await other.dispose()
    }
  })
})
