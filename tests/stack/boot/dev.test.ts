// Tests `npm run dev` in a copy of the repository: a change restarts only what it affects, and keeps the data.
import { appendFileSync, cpSync, existsSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { freePort } from '../../../scripts/stack/port.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { ask, askJson } from '../http.ts'
import { devStarted, killProcessesOf, processesOf, type Run } from '../processes.ts'
import { temporary } from '../stack.ts'

let folder: string
let stateDir: string
let url: string
let run: Run

/** Copies the repository into a folder, so that the tests can change its files. */
function copyRepository(to: string) {
  for (const name of globSync(['src', 'workers', 'migrations', 'containers', 'scripts', 'docs', '*.{json,toml,md}']))
    cpSync(name, join(to, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(to, 'node_modules'))
}

beforeAll(async () => {
  folder = temporary()
  stateDir = join(folder, '.state')
  copyRepository(folder)
  const port = await freePort(0)
  url = `http://localhost:${port}`
  run = await devStarted(folder, stateDir, port)
})

afterAll(async () => {
  await killProcessesOf(stateDir)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function edit(file: string, from: string, to: string) {
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(folder, file), text.replace(from, to))
}

const titleOf = async (component: string): Promise<string> => {
  const { body } = await askJson(`${url}/${component}/_openapi.json`, 'GET')
  return (body as { info: { title: string } }).info.title
}

/** The process ids of the runtimes, one for each Worker. */
const runtimes = () => processesOf(stateDir).flatMap(({ program, pid }) => (program === 'workerd' ? pid : []))

const page = { collection: 'news', recipient: 'ann' }

// Skipped elsewhere: the test finds processes by their environment, which only Linux shows as a file.
describe.runIf(existsSync('/proc/self/environ'))('npm run dev', { timeout: 900_000 }, () => {
  it('restarts only the changed Worker, with its database', async () => {
    await askJson(`${url}/feed/collection`, 'POST', { name: 'news' })
    await askJson(`${url}/feed/record`, 'POST', page)
    const before = new Set(runtimes())
    edit('src/feed/index.ts', "title: 'Feed'", "title: 'Changed feed'")
    await expect.poll(() => titleOf('feed')).toBe('Changed feed')
    expect(runtimes().filter((pid) => !before.has(pid))).toHaveLength(1)
    expect(await askJson(`${url}/feed/records/count`, 'GET', page)).toMatchObject({ body: { content: { records: 1 } } })
  })

  it('keeps the storage of durable objects', async () => {
    await askJson(`${url}/typeahead/index`, 'POST', { name: 'cities' })
    await askJson(`${url}/typeahead/document`, 'POST', { index: 'cities', code: 'sf', text: 'San Francisco' })
    edit('src/search/about.ts', "title: 'Search as you type'", "title: 'Changed search'")
    await expect.poll(() => titleOf('typeahead')).toContain('Changed')
    const found = await ask(`${url}/typeahead/documents?index=cities&search=franc`)
    expect(found.text).toContain('San Francisco')
  })

  it('keeps the last version of a Worker while the build fails, and prints the error', async () => {
    const file = join(folder, 'src/badge/index.ts')
    const before = readFileSync(file, 'utf8')
    appendFileSync(file, 'const = 1\n')
    await expect
      .poll(run.output)
      .toMatch(/Build failed; the last version keeps running: badge[\s\S]*Expected identifier/)
    expect(await titleOf('badge')).toBe('Badges')
    writeFileSync(file, before.replace("title: 'Badges'", "title: 'Mended badges'"))
    await expect.poll(() => titleOf('badge')).toBe('Mended badges')
  })

  it('keeps the last version of a Worker if the new one does not start', async () => {
    const file = join(folder, 'src/payment/index.ts')
    const before = readFileSync(file, 'utf8')
    appendFileSync(file, "\nthrow new Error('does not start')\n")
    await expect.poll(run.output).toContain('payment does not start, and runs its last version again')
    expect((await ask(`${url}/payment/_health`)).status).toBe(200)
    writeFileSync(file, before)
  })

  it('applies a new migration, a changed configuration, and starts a changed container again', async () => {
    writeFileSync(join(folder, 'migrations/badge/d1/9999_more.sql'), 'CREATE TABLE badge_more (id INTEGER);')
    await expect.poll(run.output).toMatch(/badge migrated: .*9999_more\.sql/)
    expect((await ask(`${url}/badge/_health`)).status).toBe(200)
    appendFileSync(join(folder, 'workers/badge/wrangler.toml'), '\n[vars]\nLOCALE = "kk"\n')
    await expect.poll(run.output).toContain('badge restarted with its new configuration')
    appendFileSync(join(folder, 'containers/media/server.ts'), '// changed\n')
    await expect.poll(run.output).toContain('The media container ended (SIGKILL); it starts again')
  })

  it.skipIf(!has('chromium'))('updates a page of the console in place', async () => {
    const browser = await startBrowser()
    try {
      const tab = await openPage(browser)
      await tab.goto(`${url}/console/`)
      const field = tab.getByText('Skip to the page')
      await field.waitFor({ state: 'attached' })
      await tab.evaluate('globalThis.isSamePage = true')
      edit('src/console/app.tsx', 'Skip to the page', 'Skip to the changed page')
      await tab.getByText('Skip to the changed page').waitFor({ state: 'attached' })
      expect(await tab.evaluate('globalThis.isSamePage')).toBe(true)
    } finally {
      await browser.close()
    }
  })

  it('serves the console to its own hosts only, and no file outside of the source', async () => {
    const consoleFile = (path: string) =>
      ask(`${url}/console/${path}`, { headers: { host: `console.${new URL(url).host}` } })
    expect((await consoleFile('')).headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const foreign = await ask(`${url}/console/main.tsx`, { headers: { host: 'console.example' } })
    expect(foreign.status).toBe(403)
    expect((await consoleFile(`@fs${stateDir}/secrets.json`)).status).toBe(403)
  })

  it('rejects updates for other sites, hosts and protocols', async () => {
    const own = { 'sec-websocket-protocol': 'vite-hmr', origin: url }
    const client = await ask(`${url}/console/@vite/client`, { headers: { host: `console.${new URL(url).host}` } })
    const [, token] = /wsToken = "([^"]+)"/.exec(client.text) ?? []
    const path = `/console/?token=${token}`
    expect(await connect(path, own)).toBe('open')
    // A foreign origin is refused although the token is right: only a page of this origin can read the token.
    expect(await connect('/console/', { ...own, origin: 'https://site.example' })).toBe('refused')
    expect(await connect(path, { ...own, host: 'console.example' })).toBe('refused')
    expect(await connect(path, { origin: url })).toBe('refused')
  })
})

/** Opens a WebSocket to the proxy of `npm run dev`, and returns whether the proxy accepted it. */
const connect = (path: string, headers: Record<string, string>): Promise<'open' | 'refused'> =>
  new Promise((resolve) => {
    const handshake = {
      ...{ connection: 'Upgrade', upgrade: 'websocket' },
      ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
    }
    request(`${url}${path}`, { headers: { ...handshake, ...headers } })
      .on('upgrade', (_, socket) => {
        socket.destroy()
        resolve('open')
      })
      .on('response', () => resolve('refused'))
      .on('error', () => resolve('refused'))
      .end()
  })
