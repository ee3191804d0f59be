// Tests that a save of a signature that is killed between R2 and the database leaves no part behind.
import { rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { large } from '../../signature/samples.ts'
import { askJson } from '../http.ts'
import { bucketOf } from '../media/bucket.ts'
import { only, start, temporary } from '../stack.ts'
import { startDatabase } from './held-database.ts'

it('leaves no part of a signature whose save was killed between R2 and the database', async () => {
  const stateDir = temporary()
  onTestFinished(() => rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 }))
  const port = await freePort(0)
  const database = await startDatabase('BEGIN')
  const where = { document: 'contract', thread: 'order-7' }
  const cms = large(2_000_000)
  const ask = (method: string, path: string, params: object) =>
    askJson(`http://localhost:${port}/signature${path}`, method, params)
  const victim = victimOf({
    ...{ components: ['signature'], port, stateDir },
    variables: { DATABASE_URL: database.held },
  })
  onTestFinished(() => victim.end())

  await victim.start()
  database.state.holds = true
  const broken = expect(ask('POST', '/signature', { ...where, cms })).rejects.toThrow()
  await expect.poll(() => database.state.isAsked, { timeout: 60_000 }).toBe(true)
  await victim.kill()
  await broken
  const stack = await start({
    ...{ stateDir, port, variables: { DATABASE_URL: database.direct } },
    components: only('signature'),
  })
  onTestFinished(() => stack.dispose())

  expect(bucketOf(stack).keys).toHaveLength(1)
  expect(await ask('GET', '/signature', where)).toMatchObject({ status: 404 })
  await stack.sweep()
  expect(bucketOf(stack).keys).toHaveLength(1)
  await database.pg.query("UPDATE signature_traces SET due_at = due_at - interval '1 day'")
  await stack.sweep()
  expect(bucketOf(stack).keys).toEqual([])
  expect((await database.pg.query('SELECT * FROM signature_traces')).rows).toEqual([])

  expect(await ask('POST', '/signature', { ...where, cms })).toMatchObject({ status: 201 })
  const { body } = await ask('GET', '/signature', where)
  expect((body as { content: { signature: { signature: string } } }).content.signature.signature === cms).toBe(true)
  expect(bucketOf(stack).keys).toHaveLength(1)
})
