// Tests that the erasure of a person from every component ends although all processes are killed several times in the middle.
import { rmSync } from 'node:fs'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { type Victim, victimOf } from '../../../scripts/chaos/victim.ts'
import { hasPostgres } from '../../../scripts/lib/postgres-server.ts'
import { components } from '../../../scripts/stack/components.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { askJson } from '../http.ts'
import { personsOn, storedPlaces } from '../person-data.ts'
import { temporary } from '../stack.ts'
import { startHeldServer } from './held-database.ts'

const ann = { user: 'annabel', phone: '77011234567', email: 'annabel@example.com' }
const bob = { user: 'bobby', phone: '77011234568', email: 'bobby@example.com' }

const busSecret = 'a secret of the administrator'

/** Containers have no data of persons, and take long to start. */
const names = components()
  .map(({ name }) => name)
  .filter((name) => !['media', 'pdf'].includes(name))

/**
 * Statements at which the processes are killed, in the order of the components: of the first component with data, between those whose data
 * is in durable objects, and of the last ones.
 */
const heldStatements = [
  'delete from "payment_http_log"',
  'update "bus_documents_1"',
  'delete from "otp_passwords"',
  'delete from "sms_messages"',
  'delete from "feed_records_1"',
  'update "signature_versions"',
]

let stateDir: string
let port: number

beforeEach(async () => {
  stateDir = temporary()
  port = await freePort(0)
})

afterEach(() => rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 }))

async function startVictim(DATABASE_URL: string): Promise<Victim> {
  const variables = { DATABASE_URL, ERASE_PAYMENTS: 'true', BOX_ADMIN_SECRET: busSecret }
  const victim = victimOf({ components: names, port, stateDir, variables })
  onTestFinished(() => victim.end())
  await victim.start()
  return victim
}

interface Operation {
  done: boolean
  components: { component: string; done: boolean }[]
}

it.runIf(hasPostgres())(
  'erases a person from every component, although all processes are killed at several points',
  {
    timeout: 1_800_000,
  },
  async () => {
    const database = await startHeldServer(heldStatements[0]!)
    let victim = await startVictim(database.held)
    const { call, prepare, storePerson, startDelivery, placesOf } = personsOn(
      () => `http://localhost:${port}`,
      busSecret,
    )
    await prepare()
    await storePerson(ann, bob)
    await storePerson(bob, ann)
    const delivery = await startDelivery([ann, bob])
    onTestFinished(delivery.close)
    const places = [...storedPlaces, 'payment requests', 'payment transactions']
    for (const person of [ann, bob])
      await expect.poll(() => placesOf(person), { timeout: 180_000 }).toEqual(expect.arrayContaining(places))

    database.state.holds = true
    const { operation } = await call('DELETE', '/person', ann)
    const { id } = operation as unknown as { id: string }
    const show = async () => (await call('GET', '/operation', { id })).operation as unknown as Operation
    for (const [n] of heldStatements.entries()) {
      await expect.poll(() => database.state.isAsked, { timeout: 180_000 }).toBe(true)
      expect((await show()).done).toBe(false)
      await victim.kill()
      database.state.isAsked = false
      const following = heldStatements[n + 1]
      if (following === undefined) database.state.holds = false
      else database.state.statement = following
      victim = await startVictim(following === undefined ? database.direct : database.held)
    }
    await expect.poll(async () => (await show()).done, { timeout: 600_000 }).toBe(true)

    // Nothing is left by an export, in the database, and in the lists of components whose data is in durable objects.
    expect(await placesOf(ann)).toEqual([])
    expect(await rowsWith(database.direct, Object.values(ann))).toEqual([])
    for (const path of ['/queue/tasks', '/queue/schedules'])
      expect(JSON.stringify(await call('GET', path, { worker: 'default' }))).not.toContain('701 1234567')
    for (const [component, code] of [
      ['fulltext', ann.user],
      ['typeahead', '+7 701 1234567'],
    ] as const) {
      const url = `http://localhost:${port}/${component}/document/search`
      expect((await askJson(url, 'POST', { index: 'people', code })).status).toBe(404)
    }
    expect(JSON.stringify(await call('GET', '/catcher/_requests_'))).not.toContain(ann.user)

    // Another person has all data. The local mail trap forgets its mails when it is killed.
    const kept = (all: string[]) => all.filter((place) => place !== 'email caught_mails').toSorted()
    expect(kept(await placesOf(bob))).toEqual(expect.arrayContaining(kept(places)))
    expect(await rowsWith(database.direct, [bob.user])).not.toEqual([])
  },
)

/** All rows of the database that contain one of the texts, as JSON with the names of their tables. */
async function rowsWith(connectionString: string, texts: string[]): Promise<string[]> {
  const client = new Client({ connectionString })
  await client.connect()
  const tables = await client.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  const found: string[] = []
  for (const { table_name } of tables.rows) {
    const { rows } = await client.query<{ row: string }>(`SELECT to_json(t)::text AS row FROM "${table_name}" AS t`)
    for (const { row } of rows) if (texts.some((text) => row.includes(text))) found.push(`${table_name} ${row}`)
  }
  await client.end()
  return found
}
