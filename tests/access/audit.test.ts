// Tests the audit log: which calls have a row, and how rows are listed, verified and deleted.
import { reset, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditDay } from '#access/audit-day'
import type { AuditRow } from '#core/access/access-service'
import { databases } from '../support/databases.ts'
import { startBoth } from './support.ts'

const dayMs = 86_400_000

const objects = (env as unknown as { AUDIT_DAY: DurableObjectNamespace<AuditDay> }).AUDIT_DAY

const sqlOf = <T>(name: string, use: (storage: DurableObjectStorage) => T) =>
  runInDurableObject(objects.getByName(name), (_, { storage }) => use(storage) as never) as Promise<T>

const rowAt = (time: string, row: Partial<AuditRow> = {}): AuditRow => ({
  ...{ at: Date.parse(`${time}Z`), key: 'root', operation: 'DELETE /feed/record', request: 'r', status: 200 },
  ...row,
})

// The databases have different tables, but the same objects.
const deleteObjects = () => beforeAll(() => reset())

describe.each(databases)('the audit log on $dialect', (database) => {
  deleteObjects()
  const { service, asRoot, createKey } = startBoth(database)

  const list = async (params: object = {}) =>
    (await asRoot('GET', '/audit', params)).json.content as unknown as {
      rows: Record<string, unknown>[]
      next?: string
    }
  const verify = async (component: string, date: string) =>
    (await asRoot('GET', '/audit/verify', { component, date })).json.content

  const calls = ['GET /read', 'POST /write', 'DELETE /item/7', 'POST /undeclared', 'GET /undefined']
  const makeCalls = async (secret: string, AUDIT?: string) => {
    const { fetchShop } = startBoth(database, { AUDIT })
    for (const call of calls) {
      const [method, path] = call.split(' ') as [string, string]
      await fetchShop(path, { method, headers: { authorization: `Bearer ${secret}`, 'x-request-id': `of-${method}` } })
    }
  }

  it('has the calls that AUDIT names, by key', async () => {
    const create = async (name: string) => createKey({ name, scopes: ['feed:*'] })
    const [none, some, all] = [await create('off'), await create('manage'), await create('write')]
    await makeCalls(none.secret, 'off')
    await makeCalls(some.secret)
    await makeCalls(all.secret, 'write')
    const operations = async (key: string) => (await list({ key })).rows.map(({ operation }) => operation)
    const deleted = 'DELETE /feed/item/{id}'
    await expect.poll(() => operations(some.key.id)).toEqual(['POST /feed/undeclared', deleted])
    await expect.poll(() => operations(all.key.id)).toEqual(['POST /feed/undeclared', deleted, 'POST /feed/write'])
    expect(await operations(none.key.id)).toEqual([])
    expect((await list({ key: some.key.id, operation: deleted })).rows).toEqual([
      {
        ...{ at: expect.any(String), component: 'feed', key: some.key.id, operation: deleted, object: '7' },
        ...{ request_id: 'of-DELETE', status: 200 },
      },
    ])
    expect(await verify('feed', new Date().toISOString().slice(0, 10))).toMatchObject({
      audit: { gaps: 0, valid: true },
    })
  })

  it('has refused calls of valid credentials, with the address, and no personal values', async () => {
    const { key, secret } = await createKey({ name: 'reader', scopes: ['feed:read'] })
    const { fetchShop } = startBoth(database, { AUDIT: 'manage' })
    const remove = (path: string, bearer: string, address: string) =>
      fetchShop(path, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${bearer}`, 'cf-connecting-ip': address },
      })
    expect((await remove('/item/ann@example.com', 'root', '203.0.113.1')).status).toBe(200)
    expect((await remove('/item/1?reason=secret', `${secret.slice(0, -1)}`, '203.0.113.2')).status).toBe(401)
    expect((await remove('/item/8?reason=secret', secret, '203.0.113.3')).status).toBe(403)
    await expect
      .poll(async () => (await list({ key: key.id })).rows)
      .toMatchObject([{ operation: 'DELETE /feed/item/{id}', object: '8', status: 403, address: '203.0.113.3' }])
    const { rows } = await list({ component: 'feed' })
    expect(rows).toContainEqual(expect.objectContaining({ key: 'root', address: '203.0.113.1', status: 200 }))
    expect(rows.some(({ address }) => address === '203.0.113.2')).toBe(false)
    expect(JSON.stringify(rows)).not.toMatch(/@|secret/)
  })

  it('has no rows for calls of a component without ACCESS, which work', async () => {
    const { fetchShop } = startBoth(database, { AUDIT: 'write', ACCESS: undefined })
    const headers = { authorization: 'Bearer root' }
    expect((await fetchShop('/write', { method: 'POST', headers })).status).toBe(200)
  })

  it('ignores repeated batches, and counts missing ones', async () => {
    const batch = (sender: string, number: number) =>
      service.recordAudit('badge', { sender, number, date: '2020-01-01', rows: [rowAt('2020-01-01T10:00:00')] })
    for (const number of [1, 2, 2, 1, 3]) await batch('a', number)
    expect(await verify('badge', '2020-01-01')).toEqual({ audit: { rows: 3, gaps: 0, valid: true } })
    await batch('b', 2)
    await batch('a', 6)
    expect(await verify('badge', '2020-01-01')).toEqual({ audit: { rows: 5, gaps: 3, valid: true } })
    await batch('b', 1)
    expect(await verify('badge', '2020-01-01')).toEqual({ audit: { rows: 6, gaps: 2, valid: true } })
    expect(await verify('badge', '2020-01-02')).toEqual({ audit: { rows: 0, gaps: 0, valid: true } })
  })

  let tampered = 0

  it.each([
    ['a changed row', `UPDATE batches SET rows = replace(rows, '200', '403') WHERE seq = 2`],
    ['a changed count', 'UPDATE batches SET row_count = 1 WHERE seq = 2'],
    ['a changed sender', `UPDATE batches SET sender = 'x' WHERE seq = 3`],
    ['swapped batches', 'UPDATE batches SET seq = CASE seq WHEN 1 THEN 9 ELSE 1 END WHERE seq IN (1, 3)'],
    ['a removed first batch', 'DELETE FROM batches WHERE seq = 1'],
    ['a removed batch', 'DELETE FROM batches WHERE seq = 2'],
    ['a removed last batch', 'DELETE FROM batches WHERE seq = 3'],
    ['no batches', 'DELETE FROM batches'],
    ['an added batch', `INSERT INTO batches SELECT 4, 's', 4, row_count, rows, hash, 4 FROM batches WHERE seq = 3`],
    ['a changed number of announced batches', 'UPDATE batches SET numbered = 1 WHERE seq = 3'],
  ])('is invalid with %s', async (_, sql) => {
    const date = `2020-02-${10 + tampered++}`
    const rows = [rowAt('2020-02-01T10:00:00'), rowAt('2020-02-01T10:00:01')]
    for (const number of [1, 2, 3]) await service.recordAudit('sms', { sender: 's', number, date, rows })
    expect(await verify('sms', date)).toEqual({ audit: { rows: 6, gaps: 0, valid: true } })
    await sqlOf(`sms/${date}`, (storage) => storage.sql.exec(sql).toArray())
    expect(await verify('sms', date)).toMatchObject({ audit: { valid: false } })
  })

  it('is invalid if the whole log of a day was removed', async () => {
    const rows = [rowAt('2020-03-01T10:00:00')]
    await service.recordAudit('otp', { sender: 's', number: 1, date: '2020-03-01', rows })
    await sqlOf('otp/2020-03-01', (storage) => storage.deleteAll())
    expect(await verify('otp', '2020-03-01')).toEqual({ audit: { rows: 0, gaps: 0, valid: false } })
  })

  it('is invalid if the whole log of a day was removed and a new one began', async () => {
    const date = '2020-03-02'
    const add = (sender: string) =>
      service.recordAudit('otp', { sender, number: 1, date, rows: [rowAt(`${date}T10:00:00`)] })
    await add('s')
    await sqlOf(`otp/${date}`, (storage) => storage.deleteAll())
    for (const sender of ['t', 'u']) await add(sender)
    expect(await verify('otp', date)).toEqual({ audit: { rows: 2, gaps: 0, valid: false } })
    // An isolate that stores the first batch of the day does not replace the anchor either.
    await startBoth(database).service.recordAudit('otp', { sender: 'v', number: 1, date, rows: [] })
    expect(await verify('otp', date)).toMatchObject({ audit: { valid: false } })
  })

  it('is invalid if an earlier state of the object was restored after the day', async () => {
    const [first, second] = ['2020-03-03', '2020-03-04']
    const add = (date: string, number: number) =>
      service.recordAudit('otp', { sender: 's', number, date, rows: [rowAt(`${date}T10:00:00`)] })
    await add(first, 1)
    const head = await sqlOf(`otp/${first}`, ({ kv }) => kv.get('head'))
    await add(first, 2)
    await add(second, 1)
    await add(first, 3)
    expect(await verify('otp', first)).toEqual({ audit: { rows: 3, gaps: 0, valid: true } })
    await sqlOf(`otp/${first}`, ({ sql, kv }) => {
      sql.exec('DELETE FROM batches WHERE seq > 1')
      kv.put('head', head)
    })
    expect(await verify('otp', first)).toEqual({ audit: { rows: 1, gaps: 0, valid: false } })
  })

  it('counts batches that waited when an earlier one was sent, and never arrived', async () => {
    const date = '2020-03-05'
    const add = (sender: string, number: number, numbered: number) =>
      service.recordAudit('otp', { sender, number, numbered, date, rows: [rowAt(`${date}T10:00:00`)] })
    await add('a', 1, 4)
    await add('a', 2, 4)
    await add('b', 1, 1)
    expect(await verify('otp', date)).toEqual({ audit: { rows: 3, gaps: 2, valid: true } })
    for (const number of [3, 4]) await add('a', number, 4)
    expect(await verify('otp', date)).toEqual({ audit: { rows: 5, gaps: 0, valid: true } })
  })

  it('verifies a log that an earlier version began', async () => {
    const date = '2020-03-06'
    const name = `otp/${date}`
    const add = (number: number) =>
      service.recordAudit('otp', { sender: 's', number, date, rows: [rowAt(`${date}T10:00:00`)] })
    await sqlOf(name, (storage) => {
      const rows = JSON.stringify([rowAt(`${date}T09:00:00`)])
      const hash = createHash('sha256').update([name, 's', 1, 1, rows].join('\n')).digest('hex')
      storage.sql.exec(
        'CREATE TABLE batches (seq INTEGER PRIMARY KEY, sender TEXT NOT NULL, number INTEGER NOT NULL, row_count INTEGER NOT NULL, rows TEXT NOT NULL, hash TEXT NOT NULL)',
      )
      storage.sql.exec('CREATE UNIQUE INDEX batches_number ON batches (sender, number)')
      storage.sql.exec(`INSERT INTO batches VALUES (1, 's', 1, 1, ?, ?)`, rows, hash)
      storage.kv.put('schema', 1)
      storage.kv.put('head', { seq: 1, hash })
    })
    expect(await verify('otp', date)).toEqual({ audit: { rows: 1, gaps: 0, valid: true } })
    await add(2)
    expect(await verify('otp', date)).toEqual({ audit: { rows: 2, gaps: 0, valid: true } })
  })

  it('verifies a day of many batches', async () => {
    const rows = [rowAt('2020-04-01T10:00:00')]
    const name = 'media/2020-04-01'
    await service.recordAudit('media', { sender: 's', number: 1, date: '2020-04-01', rows })
    await runInDurableObject(objects.getByName(name), (day: AuditDay) => {
      for (let number = 2; number <= 4_200; number++) day.add(name, { sender: 's', number, date: '2020-04-01', rows })
    })
    expect(await verify('media', '2020-04-01')).toEqual({ audit: { rows: 4_200, gaps: 0, valid: true } })
    await sqlOf(name, (storage) => storage.sql.exec('DELETE FROM batches WHERE seq = 4100').toArray())
    expect(await verify('media', '2020-04-01')).toEqual({ audit: { rows: 4_199, gaps: 1, valid: false } })
    // A page that finds nothing in a limited number of batches has a cursor.
    const page = await list({ component: 'media', key: 'nobody', to: '2020-04-02' })
    expect(page).toEqual({ rows: [], next: expect.stringMatching(/^2020-04-01\.media\./) })
  })
})

describe.each(databases)('the list of the audit log on $dialect', (database) => {
  deleteObjects()
  const { service, send, asRoot } = startBoth(database)

  const list = async (params: object) =>
    (await asRoot('GET', '/audit', params)).json.content as unknown as { rows: { request_id: string }[]; next?: string }
  const listAll = async (params: object) => {
    const found: string[] = []
    let after: string | undefined
    do {
      const page = await list({ ...params, ...(after && { after }) })
      found.push(...page.rows.map(({ request_id }) => request_id))
      after = page.next
    } while (after)
    return found
  }

  const days = ['2021-01-01', '2021-01-02', '2021-01-03']
  const range = { from: '2021-01-01', to: '2021-01-04' }

  it('is in order, by pages of any size', async () => {
    for (const date of days)
      for (const component of ['payment', 'queue'])
        for (const number of [1, 2]) {
          const rows = [0, 1, 2].map((n) =>
            rowAt(`${date}T0${number}:00:0${n}`, {
              request: `${date.slice(-1)}.${component}.${number}.${n}`,
              key: n === 1 ? 'k' : 'root',
              operation: component === 'queue' ? 'DELETE /queue/task' : 'POST /payment/x',
            }),
          )
          await service.recordAudit(component, { sender: 's', number, date, rows })
        }
    const all = await listAll(range)
    expect(all).toHaveLength(36)
    expect(all.slice(0, 8)).toEqual(
      ['3.payment.2.2', '3.payment.2.1', '3.payment.2.0', '3.payment.1.2', '3.payment.1.1', '3.payment.1.0'].concat(
        '3.queue.2.2',
        '3.queue.2.1',
      ),
    )
    for (const limit of [1, 2, 3, 5, 6, 7, 12, 36]) expect(await listAll({ ...range, limit })).toEqual(all)
    expect(await listAll({ ...range, component: 'queue', limit: 4 })).toEqual(all.filter((id) => id.includes('queue')))
    expect(await listAll({ ...range, key: 'k', limit: 2 })).toEqual(all.filter((id) => id.endsWith('.1')))
    expect(await listAll({ ...range, operation: 'DELETE /queue/task', limit: 5 })).toEqual(
      all.filter((id) => id.includes('queue')),
    )
    const some = await listAll({ from: '2021-01-02 02:00:01', to: '2021-01-03 01:00:02', limit: 4 })
    expect(some).toEqual(all.filter((id) => /^3\.\w+\.1\.[01]$|^2\.\w+\.2\.[12]$/.test(id)))
  })

  it('reads a limited number of objects in a call', async () => {
    for (let day = 1; day <= 25; day++) {
      const date = `2022-01-${String(day).padStart(2, '0')}`
      await service.recordAudit('bus', { sender: 's', number: 1, date, rows: [rowAt(`${date}T00:00:00`)] })
    }
    const first = await list({ component: 'bus', key: 'nobody' })
    expect(first).toEqual({ rows: [], next: '2022-01-06.bus.0.0' })
    expect(await list({ component: 'bus', key: 'nobody', after: first.next })).toEqual({ rows: [] })
    expect(await listAll({ component: 'bus' })).toHaveLength(25)
  })

  it.each([
    { component: 'unknown' },
    { from: 'yesterday' },
    { after: '2021-01-01.queue.1' },
    { after: '1' },
    { limit: 0 },
    { limit: 1_001 },
  ])('refuses %j', async (params) => {
    expect(await asRoot('GET', '/audit', params)).toMatchObject({
      status: 400,
      json: { status_code: 'validation_failed' },
    })
  })

  it('needs the level manage', async () => {
    const { json } = await asRoot('POST', '/key', { name: 'auditor', scopes: ['access:write'] })
    const { secret } = json.content as unknown as { secret: string }
    const headers = { authorization: `Bearer ${secret}` }
    expect((await send('GET', '/audit', {}, headers)).status).toBe(403)
    expect((await send('GET', '/audit/verify', { component: 'bus', date: '2022-01-01' }, headers)).status).toBe(403)
  })
})

describe.each(databases)('the retention of the audit log on $dialect', (database) => {
  deleteObjects()
  const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)
  const sweepWith = (AUDIT_RETENTION?: string) => startBoth(database, { AUDIT_RETENTION }).sweep()

  it('deletes older days in steps', async () => {
    const { service, asRoot } = startBoth(database)
    const stored = async () => {
      let count = 0
      let after: string | undefined
      do {
        const { json } = await asRoot('GET', '/audit', { component: 'delivery', ...(after && { after }) })
        const page = json.content as unknown as { rows: object[]; next?: string }
        count += page.rows.length
        after = page.next
      } while (after)
      return count
    }
    // Days of other tests are deleted first.
    for (let n = 0; n < 5; n++) await sweepWith('400')
    const ages = [0, 1, 29, 30, 31, ...Array.from({ length: 27 }, (_, n) => 89 + n)]
    for (const age of ages) {
      const rows = [{ ...rowAt('2020-01-01T00:00:00'), at: Date.now() - age * dayMs }]
      await service.recordAudit('delivery', { sender: 's', number: 1, date: dateOf(age), rows })
    }
    expect(await stored()).toBe(32)
    await sweepWith()
    expect(await stored()).toBe(12)
    await sweepWith()
    expect(await stored()).toBe(7)
    const isEmpty = (age: number) => sqlOf(`delivery/${dateOf(age)}`, ({ kv }) => kv.get('schema') === undefined)
    expect(await Promise.all([89, 90, 91, 115].map(isEmpty))).toEqual([false, false, true, true])
    await sweepWith('30')
    expect(await stored()).toBe(4)
    await sweepWith('a month')
    expect(await stored()).toBe(4)
    await sweepWith('1')
    expect(await stored()).toBe(2)
  })
})
