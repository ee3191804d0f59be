import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stack } from '../../scripts/stack/stack.ts'
import { type Quartermaster, quartermaster } from '../../src/client/index.ts'
import { start } from './stack.ts'

const token = 'the-token-of-the-tests'

let stack: Stack
let q: Quartermaster

beforeAll(async () => {
  stack = await start({ env: { AUTH_TOKENS: token } })
  q = quartermaster({ url: stack.url, token })
})

afterAll(() => stack.dispose())

describe('the typed client', () => {
  it('adds a record and reads it', async () => {
    await q.feed.post('/collection', { name: 'news' })
    const { record } = await q.feed.post('/record', {
      collection: 'news',
      sender: 'bob',
      recipient: 'ann',
      title: 'Hi',
    })
    const { records, nb_results } = await q.feed.get('/records', { collection: 'news', recipient: 'ann', count: true })
    expect(nb_results).toBe(1)
    expect(records[0]).toMatchObject({ id: record.id, title: 'Hi' })
  })
})
