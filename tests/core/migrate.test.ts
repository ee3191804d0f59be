// Tests the migrations of a durable object's SQLite database.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { migrate } from '#core/objects/migrate'

const { FIRST_REPLY } = env as unknown as { FIRST_REPLY: DurableObjectNamespace }
const steps = ['CREATE TABLE a (n INTEGER)', 'CREATE TABLE b (n INTEGER)']

it('runs each step once, also after a rollback to older code', async () => {
  await runInDurableObject(FIRST_REPLY.getByName('migrate'), (_, { storage }) => {
    const tables = () => [...storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('a', 'b')")].length
    migrate(storage, steps.slice(0, 1))
    expect(tables()).toBe(1)
    migrate(storage, steps)
    expect(tables()).toBe(2)
    migrate(storage, steps.slice(0, 1))
    migrate(storage, steps)
    expect(tables()).toBe(2)
  })
})

it('runs all steps or none', async () => {
  await runInDurableObject(FIRST_REPLY.getByName('broken'), (_, { storage }) => {
    expect(() => migrate(storage, [steps[0]!, 'NOT SQL'])).toThrow()
    migrate(storage, steps)
  })
})
