// Tests that the erasure of a person ends although all processes are killed in the middle.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type Victim, victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { askJson } from '../http.ts'
import { temporary } from '../stack.ts'
import { startDatabase } from './held-database.ts'

const kills = 2
const records = 300

let stateDir: string
let port: number

beforeEach(async () => {
  stateDir = temporary()
  port = await freePort(0)
})

afterEach(() => rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 }))

async function startVictim(DATABASE_URL: string): Promise<Victim> {
  const victim = victimOf({ components: ['feed', 'badge'], port, stateDir, variables: { DATABASE_URL } })
  onTestFinished(() => victim.end())
  await victim.start()
  return victim
}

async function call(method: string, path: string, params: object) {
  const { body } = await askJson(`http://localhost:${port}${path}`, method, params)
  expect(body).toMatchObject({ status: true })
  return (body as { content: Record<string, never> }).content
}

const countOf = async (collection: string, recipient: string) =>
  (await call('GET', '/feed/records/count', { collection, recipient })).records

interface Operation {
  done: boolean
  components: { component: string; done: boolean; erased: Record<string, number> }[]
}

it('ends the erasure of a person, although all processes are killed while it waits for the database', {
  timeout: 900_000,
}, async () => {
  // The records of the second collection.
  const database = await startDatabase('delete from "feed_records_2"')
  let victim = await startVictim(database.held)
  const mine = Array.from({ length: records }, (_, n) => ({ recipient: 'ann', title: String(n) }))
  for (const collection of ['first', 'second']) {
    await call('POST', '/feed/collection', { name: collection })
    await call('POST', '/feed/records', { collection, records: [...mine, { recipient: 'bob' }] })
  }
  await call('POST', '/badge/badge', { collection: 'shop', user: 'ann', name: 'inbox' })

  database.state.holds = true
  const { operation } = await call('DELETE', '/person', { user: 'ann' })
  const { id } = operation as unknown as { id: string }
  const show = async () => (await call('GET', '/operation', { id })).operation as unknown as Operation
  for (let kill = 0; kill < kills; kill++) {
    await expect.poll(() => database.state.isAsked, { timeout: 180_000 }).toBe(true)
    expect(await show()).toMatchObject({
      done: false,
      components: [
        { component: 'badge', done: true },
        { component: 'feed', done: false },
      ],
    })
    await victim.kill()
    database.state.isAsked = false
    if (kill < kills - 1) victim = await startVictim(database.held)
  }
  database.state.holds = false
  await startVictim(database.direct)
  await expect.poll(async () => (await show()).done, { timeout: 300_000 }).toBe(true)

  for (const collection of ['first', 'second'])
    expect([await countOf(collection, 'ann'), await countOf(collection, 'bob')]).toEqual([0, 1])
  const { counters } = await call('GET', '/badge/counters', { collection: 'shop', user: 'ann', names: '_all' })
  expect(counters).toEqual({ _all: 0 })
})
