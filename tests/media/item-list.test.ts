// Tests the order, the filter and the pages of `GET /items`.
import { type SQLWrapper, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { open, rowsOf } from '#core/db/open'
import { newDigest } from '#media/digest'
import { listItems, pageOf } from '#media/item-list'
import type { Item } from '#media/items'
import { schema } from '#media/schema'
import { databases } from '../support/databases.ts'
import { fixture } from '../support/media/clips.ts'
import { invalidParameters, mediaOn, refusal } from './support.ts'

const base = 'http://media.test'

describe.each(databases)('a list of items on $dialect', (database) => {
  const bindings = { DB: undefined as never, ...database }
  const { ask, upload, fetch } = mediaOn(bindings)
  const store = open(bindings, schema)

  /** Adds `many` items of two kinds. They have only two different creation times, so that the digest decides the order. */
  const addItems = async (many: number) => {
    await store.db.delete(store.items)
    const rows = Array.from({ length: many }, (_, i) => {
      const at = new Date(1_000 * (1 + (i % 2)))
      const kind = i % 3 === 0 ? ('audio' as const) : ('file' as const)
      const properties = { name: `n${i}`, extension: 'x', mimetype: 'x/y', size: i, state: 'ready' }
      return { digest: newDigest(), kind, ...properties, created_at: at, updated_at: at }
    })
    for (const row of rows) await store.db.insert(store.items).values(row)
    const place = ({ digest, created_at }: (typeof rows)[number]) => `${created_at.getTime()}.${digest}`
    return rows.sort((a, b) => (place(a) < place(b) ? 1 : -1)).map(({ digest, kind }) => ({ digest, kind }))
  }

  const digestsOf = (items: Pick<Item, 'digest'>[]) => items.map(({ digest }) => digest)

  it('has each item once, newest first, also if the times are equal', async () => {
    const all = await addItems(11)
    const seen: string[] = []
    let before: Awaited<ReturnType<typeof listItems>>['next']
    do {
      const { items, next } = await listItems(store, { limit: 3, before })
      seen.push(...digestsOf(items))
      before = next
    } while (before)
    expect(seen).toEqual(digestsOf(all))
  })

  it('has only items of the requested kind', async () => {
    const all = await addItems(7)
    const { items, next } = await listItems(store, { kind: 'audio', limit: 2 })
    const rest = await listItems(store, { kind: 'audio', limit: 2, before: next })

    expect(digestsOf([...items, ...rest.items])).toEqual(digestsOf(all.filter(({ kind }) => kind === 'audio')))
    expect(rest.next).toBeUndefined()
  })

  it('continues at the same position when the last item of a page is deleted', async () => {
    const all = await addItems(4)
    const { next } = await listItems(store, { limit: 2 })
    await store.db.delete(store.items).where(sql`digest = ${next!.digest}`)

    expect(digestsOf((await listItems(store, { limit: 2, before: next })).items)).toEqual(digestsOf(all.slice(2)))
  })

  const isD1 = store.dialect === 'd1'

  async function planOf(query: SQLWrapper): Promise<string> {
    // Forbids Postgres to scan or sort the table. It would do so because the table is small, and the plan would not show the index.
    const settings = ['seqscan', 'bitmapscan', 'sort'].map((way) =>
      store.run(sql.raw(isD1 ? 'SELECT 1' : `SET LOCAL enable_${way} = off`)),
    )
    const explain = store.run(isD1 ? sql`EXPLAIN QUERY PLAN ${query.getSQL()}` : sql`EXPLAIN ${query}`)
    const results = await store.db.batch([explain, ...settings, explain])
    return rowsOf<Record<string, unknown>>(results.at(-1))
      .map((row) => row.detail ?? row['QUERY PLAN'])
      .join('\n')
  }

  it('scans a range of an index for any parameters', async () => {
    await addItems(4)
    const before = { created_at: new Date(2_000), digest: 'x' }
    for (const [index, asked] of [
      ['media_items_created_at', {}],
      ['media_items_created_at', { before }],
      ['media_items_kind', { kind: 'file' }],
      ['media_items_kind', { kind: 'file', before }],
    ] as const) {
      const query = pageOf(store, { ...asked, limit: 3 })
      expect(await planOf(query)).toMatch(
        isD1
          ? new RegExp(`^(SEARCH|SCAN) media_items USING INDEX ${index}( .*)?$`)
          : `Index Scan Backward using ${index}`,
      )
    }
  })

  it('has the same properties as the description of each kind', async () => {
    await store.db.delete(store.items)
    const uploads = [
      ['file', 'hello', 'note.txt'],
      ['image', await fixture('still.png'), 'still.png'],
      ['audio', await fixture('tone.wav'), 'tone.wav'],
      ['video', await fixture('film.mov'), 'film.mov'],
    ] as const
    const stored = []
    for (const [kind, bytes, filename] of uploads) {
      const { status: _, ...described } = (await upload(kind, bytes, { filename })).json
      stored.push({ kind, ...described })
    }

    const { status, json } = await ask('GET', '/items')

    expect([status, json.status, 'next' in json]).toEqual([200, true, false])
    const whole = { width: null, height: null, duration: null, state: 'ready', progress: 1, failure: null }
    const items = json.items as (Record<string, unknown> & { digest: string })[]
    const listed = (digest: string) => items.find((item) => item.digest === digest)
    expect(items).toHaveLength(4)
    for (const { digest, ...described } of stored) {
      const processing = described.kind === 'video' && { progress: null }
      const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      expect(listed(digest)).toEqual({ ...whole, digest, ...described, ...processing, created_at })
    }
  })

  it('continues at the cursor of a page', async () => {
    const all = await addItems(3)
    const { json: first } = await ask('GET', '/items?limit=2')
    const { json: second } = await ask('GET', `/items?limit=2&before=${first.next}`)

    expect(digestsOf([...(first.items as Item[]), ...(second.items as Item[])])).toEqual(digestsOf(all))
    expect((first.items as Item[])[0]).toMatchObject({ download: expect.stringContaining(`${base}/`) })
    expect('next' in second).toBe(false)
  })

  it.each([
    ['kind', 'text'],
    ['before', 'x'],
    ['before', '1000'],
    ['before', `${'9'.repeat(15)}.x`],
    ['limit', 0],
    ['limit', 1001],
  ])('rejects %s %s', async (name, value) => {
    expect(await ask('GET', `/items?${name}=${value}`)).toMatchObject(invalidParameters(name))
  })

  it('accepts a cursor in any year that both databases support', async () => {
    for (const at of ['0', '9'.repeat(14)]) expect((await ask('GET', `/items?before=${at}.x`)).status).toBe(200)
  })

  it('needs credentials', async () => {
    const guarded = mediaOn({ ...bindings, AUTH_TOKENS: 'one' })
    expect(await guarded.ask('GET', '/items')).toMatchObject(refusal(401, 'unauthorized'))
    const headers = { authorization: 'Bearer one' }
    expect((await guarded.fetch('/items', { headers })).status).toBe(200)
    expect((await fetch('/items', { method: 'DELETE' })).status).toBe(405)
  })
})
