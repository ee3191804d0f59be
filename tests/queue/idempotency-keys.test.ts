// Tests of the stored idempotency keys of tasks: how long each is kept, and that old keys are deleted.
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { addOnce, deleteOldKeys } from '#queue/idempotency-keys'
import { backlog, fresh } from './support.ts'

it('keeps a key longer than its first reply, then deletes it', async () => {
  await runInDurableObject(backlog(fresh()), async (_, { storage: { sql } }) => {
    const now = Date.now()
    expect(addOnce(sql, 'a', now, () => 7)).toBe(7)
    await deleteOldKeys(sql, now + 24 * 3_600_000)
    expect(addOnce(sql, 'a', now, () => 8)).toBe(7)
    expect(addOnce(sql, undefined, now, () => 8)).toBe(8)
    expect(addOnce(sql, 'b', now, () => 9)).toBe(9)
    await deleteOldKeys(sql, now + 26 * 3_600_000)
    expect(addOnce(sql, 'a', now, () => 10)).toBe(10)
  })
})

it('stores no key if the task was not created', async () => {
  await runInDurableObject(backlog(fresh()), (_, { storage: { sql } }) => {
    const full = () => {
      throw new Error('full')
    }
    expect(() => addOnce(sql, 'a', Date.now(), full)).toThrow('full')
    expect(addOnce(sql, 'a', Date.now(), () => 1)).toBe(1)
  })
})

it('deletes all expired keys in one run', () =>
  runInDurableObject(backlog(fresh()), async (_, { storage: { sql } }) => {
    const now = Date.now()
    const old = now - 26 * 3_600_000
    sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 23000)
       INSERT INTO keys (key, task, at) SELECT 'old-' || i, i, ? FROM n`,
      old,
    )
    addOnce(sql, 'hour', now - 7_200_000, () => 1)
    addOnce(sql, 'new', now, () => 2)
    await deleteOldKeys(sql, now)
    const left = () => sql.exec<{ key: string }>('SELECT key FROM keys ORDER BY key').toArray()
    expect(left()).toEqual([{ key: 'hour' }, { key: 'new' }])
    await deleteOldKeys(sql, now, 1)
    expect(left()).toEqual([{ key: 'new' }])
  }))
