import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { addOnce, forgetKeys } from '#queue/keys'
import { backlog, fresh } from './support.ts'

it('keeps a key for longer than a first reply is kept, and then no more', async () => {
  await runInDurableObject(backlog(fresh()), (_, { storage: { sql } }) => {
    const now = Date.now()
    expect(addOnce(sql, 'a', now, () => 7)).toBe(7)
    forgetKeys(sql, now + 24 * 3_600_000)
    expect(addOnce(sql, 'a', now, () => 8)).toBe(7)
    expect(addOnce(sql, undefined, now, () => 8)).toBe(8)
    expect(addOnce(sql, 'b', now, () => 9)).toBe(9)
    forgetKeys(sql, now + 26 * 3_600_000)
    expect(addOnce(sql, 'a', now, () => 10)).toBe(10)
  })
})

it('keeps no key of what was not put in line', async () => {
  await runInDurableObject(backlog(fresh()), (_, { storage: { sql } }) => {
    const full = () => {
      throw new Error('full')
    }
    expect(() => addOnce(sql, 'a', Date.now(), full)).toThrow('full')
    expect(addOnce(sql, 'a', Date.now(), () => 1)).toBe(1)
  })
})
