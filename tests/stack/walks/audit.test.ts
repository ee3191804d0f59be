// Tests the audit log on a stack: calls of several components by several keys have rows, and the log of the session verifies.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start } from '../stack.ts'

const root = 'the root token of this test'

let stack: Stack

beforeAll(async () => {
  const components = only('access', 'feed', 'badge', 'queue', 'fulltext', 'bus')
  const variables = { AUTH_TOKENS: root, BOX_ADMIN_USER: 'root', BOX_ADMIN_SECRET: 'the secret of this test' }
  stack = await start({ components, variables })
})

afterAll(() => stack?.dispose())

const call = async (bearer: string, method: string, path: string, params?: object, headers = {}) => {
  const authorization = `Bearer ${bearer}`
  const { status, body } = await askJson(stack.url + path, method, params, { authorization, ...headers })
  return { status, content: (body as { content?: unknown }).content as Record<string, unknown> }
}

const createKey = async (name: string, scopes: string[]) => {
  const { content } = await call(root, 'POST', '/access/key', { name, scopes })
  return content as unknown as { key: { id: string }; secret: string }
}

interface Row {
  at: string
  component: string
  operation: string
  object?: string
  status: number
  request_id: string
}

const rowsOf = async (key: string): Promise<Row[]> => {
  const { content } = await call(root, 'GET', `/access/audit?key=${key}`)
  return content.rows as Row[]
}

it('has the calls of each key, and verifies', async () => {
  const editor = await createKey('editor', ['feed:*', 'badge:*', 'queue:manage', 'fulltext:manage'])
  const reader = await createKey('reader', ['*:read'])
  expect((await call(editor.secret, 'POST', '/feed/collection', { name: 'news' })).status).toBe(200)
  const { content } = await call(editor.secret, 'POST', '/feed/record', {
    ...{ collection: 'news', recipient: 'ann', title: 'Private title', text: 'Private text' },
  })
  const { id } = content.record as { id: number }
  const token = (await call(editor.secret, 'POST', '/access/token', { scopes: ['feed:write'] })).content.token as string
  expect((await call(reader.secret, 'DELETE', `/feed/record?collection=news&id=${id}`)).status).toBe(403)
  expect((await call('wrong', 'DELETE', `/feed/record?collection=news&id=${id}`)).status).toBe(401)
  const marked = { 'x-request-id': 'the-deletion' }
  const deleted = await call(token, 'DELETE', '/feed/record', { collection: 'news', id }, marked)
  expect(deleted.status).toBe(200)
  expect((await call(editor.secret, 'DELETE', '/badge/badges', { collection: 'inbox', user: 'ann' })).status).toBe(200)
  expect((await call(editor.secret, 'POST', '/queue/worker/pause', { worker: 'default' })).status).toBe(200)
  expect((await call(editor.secret, 'DELETE', '/fulltext/index', { name: 'none' })).status).toBe(404)
  const user = { name: 'shop' }
  const administrator = { 'api-secret': 'the secret of this test' }
  await askJson(`${stack.url}/bus/client`, 'POST', user, administrator)

  const brief = async (key: string) =>
    (await rowsOf(key)).map(({ operation, object = '', status }) => `${operation} ${object} ${status}`).sort()
  await expect
    .poll(() => brief(editor.key.id))
    .toEqual([
      'DELETE /badge/badges inbox 200',
      `DELETE /feed/record ${id} 200`,
      'DELETE /fulltext/index none 404',
      'POST /queue/worker/pause default 200',
    ])
  await expect.poll(() => brief(reader.key.id)).toEqual([`DELETE /feed/record ${id} 403`])
  await expect.poll(() => brief('proof')).toEqual(['POST /bus/client shop 201'])
  await expect
    .poll(() => brief('root'))
    .toEqual(expect.arrayContaining(['POST /access/key editor 201', 'POST /access/key reader 201']))
  const rows = [...(await rowsOf(editor.key.id)), ...(await rowsOf(reader.key.id)), ...(await rowsOf('root'))]
  expect(rows).toContainEqual(expect.objectContaining({ request_id: 'the-deletion', component: 'feed' }))
  const everything = JSON.stringify(rows)
  for (const secret of [root, editor.secret, reader.secret, token, 'Private', 'ann'])
    expect(everything).not.toContain(secret)

  const days = new Set(rows.map(({ at, component }) => `component=${component}&date=${at.slice(0, 10)}`))
  expect(days.size).toBeGreaterThanOrEqual(5)
  for (const day of days) {
    const { content } = await call(root, 'GET', `/access/audit/verify?${day}`)
    expect(content.audit, day).toEqual({ rows: expect.any(Number), gaps: 0, valid: true })
  }
})
