import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Victim, victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { askJson } from '../http.ts'
import { temporary } from '../stack.ts'

const kills = 3
const records = 20_000
const perCall = 1_000

let stateDir: string
let victim: Victim

beforeAll(async () => {
  stateDir = temporary()
  victim = victimOf({ components: ['feed', 'badge'], port: await freePort(0), stateDir, variables: {} })
  await victim.start()
})

afterAll(async () => {
  await victim.end()
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

async function call(method: string, path: string, params: object) {
  const { body } = await askJson(victim.url + path, method, params)
  expect(body).toMatchObject({ status: true })
  return (body as { content: Record<string, never> }).content
}

interface Operation {
  done: boolean
  subject: string
  components: { component: string; done: boolean; erased: Record<string, number> }[]
}

it('ends the erasure of a person, although all processes are killed in the middle', { timeout: 900_000 }, async () => {
  await call('POST', '/feed/collection', { name: 'news' })
  const mine = Array.from({ length: perCall }, (_, n) => ({ recipient: 'ann', title: String(n) }))
  for (let n = 0; n < records; n += perCall) await call('POST', '/feed/records', { collection: 'news', records: mine })
  await call('POST', '/feed/record', { collection: 'news', recipient: 'bob', title: 'Hi' })
  await call('POST', '/badge/badge', { collection: 'shop', user: 'ann', name: 'inbox' })

  const { operation } = await call('DELETE', '/person', { user: 'ann' })
  const { id } = operation as unknown as { id: string }
  const show = async () => (await call('GET', '/operation', { id })).operation as unknown as Operation
  const erased = async () =>
    (await show()).components.find(({ component }) => component === 'feed')?.erased.records ?? 0
  for (let kill = 0; kill < kills; kill++) {
    const before = await erased()
    await expect.poll(erased, { timeout: 180_000, interval: 5 }).toBeGreaterThan(before)
    expect((await show()).done).toBe(false)
    await victim.kill()
    await victim.start()
  }
  await expect.poll(async () => (await show()).done, { timeout: 300_000 }).toBe(true)

  expect((await show()).components.every(({ done }) => done)).toBe(true)
  const countOf = async (recipient: string) =>
    (await call('GET', '/feed/records/count', { collection: 'news', recipient })).records
  expect([await countOf('ann'), await countOf('bob')]).toEqual([0, 1])
  const { counters } = await call('GET', '/badge/counters', { collection: 'shop', user: 'ann', names: '_all' })
  expect(counters).toEqual({ _all: 0 })
})
