// Tests `npm run move`, which copies a component's D1 database to Postgres: afterwards all calls give the same replies.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, type Server, startPostgres } from '../../../scripts/lib/postgres-server.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { askJson } from '../http.ts'
import { only, start, temporary } from '../stack.ts'

const moved = () => only('feed', 'bus', 'queue')

const secret = 'the secret of the administrator'
const variables = { BOX_ADMIN_USER: 'admin', BOX_ADMIN_SECRET: secret }

/** The replies of two components that must be the same on the other database. */
async function shown({ url }: Stack) {
  const headers = { 'api-secret': secret }
  const fetched = await fetch(`${url}/bus/documents?collection=archive`, { headers })
  const { body: records } = await askJson(`${url}/feed/records?collection=news&recipient=ann`, 'GET')
  return { records, documents: await fetched.json() }
}

describe.skipIf(!hasPostgres())('the move from D1 to Postgres', () => {
  const stateDir = temporary()
  let postgres: Server
  let before: Awaited<ReturnType<typeof shown>>

  beforeAll(async () => {
    postgres = await startPostgres()
    const stack = await start({ stateDir, components: moved(), variables })
    const feed = (method: string, path: string, params: object) => askJson(`${stack.url}/feed${path}`, method, params)
    await feed('POST', '/collection', { name: 'news' })
    const record = { collection: 'news', recipient: 'ann', created_at: '2026-01-31 12:00:00' }
    for (const title of ['a', 'b', '"c"', 'd'])
      await feed('POST', '/record', {
        ...record,
        title,
        text: "it's;\n'';\n",
        payload: { n: '1.0', deep: [null, 'é'] },
      })
    await feed('POST', '/record/read', { collection: 'news', id: 2 })
    // Deletes the newest record, so that the highest id is one that no row has any more. It must not be assigned again.
    await feed('DELETE', '/record', { collection: 'news', id: 4 })
    const bus = (path: string, params: object) =>
      fetch(`${stack.url}/bus${path}`, {
        method: 'POST',
        body: JSON.stringify(params),
        headers: { 'api-secret': secret },
      })
    await bus('/collection', { name: 'archive', type: 'storage' })
    await bus('/document', { collection: 'archive', event: 'e', uuid: crypto.randomUUID(), data: { total: 9.9 } })
    before = await shown(stack)
    await stack.dispose()
  })

  afterAll(() => {
    postgres?.stop()
    rmSync(stateDir, { recursive: true, force: true })
  })

  const move = (component: string, file: string) =>
    execFileSync(process.execPath, ['scripts/move.ts', component, file], {
      env: { ...process.env, DATABASE_URL: postgres.url },
      encoding: 'utf8',
      stdio: 'pipe',
    })

  /** The export of the feed's database, as `wrangler d1 export` writes it. */
  function exported(): string {
    const folder = join(stateDir, 'export')
    mkdirSync(join(folder, '.wrangler/state'), { recursive: true })
    symlinkSync(join(stateDir, 'v3'), join(folder, '.wrangler/state/v3'))
    const database = '[[d1_databases]]\nbinding = "DB"\ndatabase_name = "feed"\ndatabase_id = "feed"\n'
    writeFileSync(
      join(folder, 'wrangler.toml'),
      `name = "feed"\nmain = "index.ts"\ncompatibility_date = "2026-11-01"\n${database}`,
    )
    const wrangler = createRequire(import.meta.url).resolve('wrangler')
    const settings = ['d1', 'export', 'feed', '--local', '--output', 'feed.sql', '-y']
    execFileSync(process.execPath, [wrangler, ...settings], { cwd: folder, stdio: 'pipe' })
    return join(folder, 'feed.sql')
  }

  it('reads an export of wrangler, and the state folder of a local start', () => {
    expect(move('feed', exported())).toContain('feed_records_1: 3')
    expect(move('bus', stateDir)).toContain('bus_documents_1: 1')
  })

  it('rejects tables with rows', () => {
    expect(() => move('bus', stateDir)).toThrow(/has rows already/)
  })

  it('gives the same replies on the other database, and assigns no id twice', async () => {
    const DATABASE_URL = postgres.url
    const stack = await start({ stateDir, components: moved(), variables: { ...variables, DATABASE_URL } })
    try {
      expect(await shown(stack)).toEqual(before)
      const record = { collection: 'news', recipient: 'ann', title: 'later' }
      expect(await askJson(`${stack.url}/feed/record`, 'POST', record)).toMatchObject({
        body: { content: { record: { id: 5 } } },
      })
    } finally {
      await stack.dispose()
    }
  })
})
