// Tests that every component keeps all acknowledged writes, and no partial ones, however often all processes are
// killed.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Victim, victimOf } from '../../../scripts/chaos/victim.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { ask, askJson } from '../http.ts'
import { temporary } from '../stack.ts'

const kills = 3
const writers = 8
const bulk = 20

let stateDir: string
let victim: Victim

beforeAll(async () => {
  stateDir = temporary()
  const components = ['badge', 'feed', 'catcher']
  victim = victimOf({ components, port: await freePort(0), stateDir, variables: {} })
})

afterAll(async () => {
  await victim.end()
  rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 })
})

const url = (path: string) => `${victim.url}${path}`
const badge = { collection: 'crash', user: 'ann' }

interface Acknowledged {
  badges: number
  threads: string[]
  captures: string[]
}

/** Writes through a component until the connection breaks, and records the writes that were acknowledged. */
async function write(writer: string, acknowledged: Acknowledged) {
  for (let n = 0; ; n++) {
    const thread = `${writer}-${n}`
    const records = Array.from({ length: bulk }, () => ({ recipient: 'ann', thread }))
    try {
      await askJson(url('/badge/badge'), 'POST', { ...badge, name: `a/b${n % 3}/${writer}` })
      acknowledged.badges++
      if (n % 5 === 4) await askJson(url('/badge/badges'), 'DELETE', { ...badge, user: 'bob', name: 'a' })
      await askJson(url('/badge/badge'), 'POST', { ...badge, user: 'bob', name: `a/${n}` })
      await askJson(url('/feed/records'), 'POST', { collection: 'news', records })
      acknowledged.threads.push(thread)
      await ask(url(`/catcher/${thread}`), { method: 'POST', headers: { 'x-catcher-space': writer } })
      acknowledged.captures.push(thread)
    } catch {
      return
    }
  }
}

it('keeps all acknowledged writes, and no partial ones, however often all processes are killed', async () => {
  const acknowledged: Acknowledged = { badges: 0, threads: [], captures: [] }
  for (let kill = 0; kill < kills; kill++) {
    await victim.start()
    await askJson(url('/feed/collection'), 'POST', { name: 'news' })
    const before = acknowledged.captures.length
    const writing = Array.from({ length: writers }, (_, i) => write(`w${kill}${i}`, acknowledged))
    await expect.poll(() => acknowledged.captures.length - before, { timeout: 120_000 }).toBeGreaterThan(writers * 2)
    await Promise.all([victim.kill(), ...writing])
  }
  await victim.start()
  await checkBadges('ann', acknowledged.badges)
  await checkBadges('bob', 0)
  await checkRecords(acknowledged.threads)
  await eachBySome(acknowledged.captures, async (thread) => {
    const space = thread.split('-')[0]!
    const { text } = await ask(url(`/catcher/_requests_?count=true&path=/${thread}`), {
      headers: { 'x-catcher-space': space },
    })
    expect(JSON.parse(text).content.nb_results).toBe(1)
  })
}, 1_200_000)

async function checkBadges(user: string, least: number) {
  const { body } = await askJson(url('/badge/badges'), 'GET', { ...badge, user, limit: 1_000, count: true })
  const { badges, nb_results } = (body as { content: { badges: { name: string }[]; nb_results: number } }).content
  expect(nb_results).toBeGreaterThanOrEqual(least)
  const names = new Set(
    badges.flatMap(({ name }) => name.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))),
  )
  const counted = await askJson(url('/badge/counters'), 'GET', { ...badge, user, names: ['_all', ...names] })
  const listed = Object.fromEntries(
    [...names].map((path) => [path, badges.filter(({ name }) => `${name}/`.startsWith(`${path}/`)).length]),
  )
  expect(badges).toHaveLength(nb_results)
  expect((counted.body as { content: { counters: object } }).content.counters).toEqual({ _all: nb_results, ...listed })
}

async function checkRecords(threads: string[]) {
  const { body } = await askJson(url('/feed/records'), 'GET', {
    collection: 'news',
    recipient: 'ann',
    limit: 1,
    count: true,
  })
  const { nb_results } = (body as { content: { nb_results: number } }).content
  expect(nb_results % bulk).toBe(0)
  await eachBySome(threads, async (thread) => {
    const counted = await askJson(url('/feed/records/count'), 'GET', { collection: 'news', recipient: 'ann', thread })
    expect(counted.body).toMatchObject({ content: { records: bulk } })
  })
}

/** Checks the names, some at a time, since a fast machine has written many. */
async function eachBySome(names: string[], check: (name: string) => Promise<void>) {
  for (let at = 0; at < names.length; at += writers) await Promise.all(names.slice(at, at + writers).map(check))
}
