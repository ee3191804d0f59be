// Counts the SQL statements and rows of a request to send SMS, since D1 limits and bills them.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { acceptReceipt, applyPendingReceipts } from '#sms/receipts'
import { noting } from './noting.ts'
import { freshPhones, messagesOf, smsOn } from './support.ts'

const { DB: bound } = env as unknown as { DB: D1Database }

it('checks the blacklist for a thousand phones and inserts them all in one statement', async () => {
  const { DB, statements } = noting(bound)
  const { send } = smsOn({ dialect: 'D1', DB })
  const phones = freshPhones(1_000)
  const blocked = phones.filter((_, n) => n % 100 === 33)
  for (const phone of blocked) await send('POST', '/blacklist', { phone })
  statements.length = 0
  const began = Date.now()

  const messages = messagesOf(await send('POST', '/sms', { phones, message: 'Hello' }))

  expect(messages.filter(({ state }) => state === 'blacklisted').map(({ phone }) => phone)).toEqual(blocked)
  expect(statements.filter((sql) => sql.includes('sms_blacklist'))).toHaveLength(1)
  expect(statements.filter((sql) => /insert/i.test(sql))).toHaveLength(1)
  // The other statements claim messages in batches, and record outcomes at most every 100 ms.
  expect(statements.length).toBeLessThan(40 + (Date.now() - began) / 100)
})

it('runs two statements for one phone', async () => {
  const { DB, statements } = noting(bound)
  const { send } = smsOn({ dialect: 'D1', DB })
  // The first request of an isolate also measures the size of the database.
  await send('POST', '/sms', { phones: freshPhones(1), message: 'Hello' })
  statements.length = 0

  await send('POST', '/sms', { phones: freshPhones(1), message: 'Hello' })

  expect(statements.map((sql) => /\w+/.exec(sql)![0])).toEqual(['INSERT', 'UPDATE'])
})

it('reads no more rows of a large table than it needs', async () => {
  const { DB, statements } = noting(bound)
  const { send, sms } = smsOn({ dialect: 'D1', DB })
  const phones = freshPhones(60)
  await send('POST', '/sms', { phones, message: 'Hello' })
  await send('GET', '/messages', { phone: phones[0], state: 'sent', kind: 'sms', provider: 'provider_a' })
  await acceptReceipt(sms, 'provider_a', { provider_id: 'x', state: 'delivered', code: null }, new Date())
  await applyPendingReceipts(sms, new Date())

  const plans = await Promise.all(
    [...new Set(statements)].map(async (sql) => {
      const values = Array(sql.split('?').length - 1).fill(null)
      const plan = bound.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values)
      const { results } = await plan.all<{ detail: string }>()
      return results.map(({ detail }) => detail).filter((detail) => detail.includes('sms_messages'))
    }),
  )

  const steps = plans.flat()
  expect(steps.filter((step) => !step.startsWith('SEARCH'))).toEqual([])
  expect([...new Set(steps.map((step) => /\((\w+=\?( AND \w*id=\?)?)/.exec(step)![1]))].toSorted()).toEqual([
    ...['phone=?', 'provider=? AND provider_id=?', 'rowid=?', 'state=? AND id=?'],
  ])
})
