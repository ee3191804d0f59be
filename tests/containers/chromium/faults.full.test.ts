// Tests that the server that prints PDFs survives crashes of its browser, and that none of its processes is left.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  eventually,
  expectToWork,
  health,
  post,
  print,
  refusal,
  type Server,
  startServer,
  stop,
  untilWarm,
  useServer,
} from './server.ts'
import { type Site, useSite } from './site.ts'

/** The process ids of the server's browsers: their commands contain the server's folder. */
const processesOf = ({ workDir }: Server): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid).includes(workDir))

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

/** The processes among them that lead a process group: one per browser. */
function browsersOf(server: Server): number[] {
  const own = new Set(processesOf(server))
  return execFileSync('ps', ['-eo', 'pid,pgid'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([pid, group]) => pid === group && own.has(pid!))
    .map(([pid]) => pid!)
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // An error means that the process has ended by itself meanwhile.
  }
}

const untilBusy = (server: Server, busy = 1) => eventually(async () => expect((await health(server)).busy).toBe(busy))

const untilGone = (server: Server) => eventually(() => expect(processesOf(server)).toEqual([]))

/** Whether requests to `/hold` are answered. Until then a document that loads the path cannot end. */
let isFree = false

/** A route that answers only once `isFree` is true. */
const holding = { '/hold': (_request: unknown, response: ServerResponse) => void (isFree && response.end()) }

/** A document that waits for `/hold`, so that a test can kill processes while it is printed. */
const held = ({ url }: Site) => ({
  html: `<p>Held<script>Object.assign(new Image(), { onerror: () => { document.body.id = "done" }, src: "${url}/hold" })</script>`,
  wait_for: 'selector:#done',
})

describe('a browser that crashes', { timeout: 180_000 }, () => {
  const server = useServer({ PAGES: '3' })
  const site = useSite({ ...holding, '/deadly': () => browsersOf(server).forEach(kill) })

  it('while it prints: another one prints the document', async () => {
    isFree = false
    const printed = [print(server, held(site)), print(server, held(site))]
    await untilBusy(server, 2)
    isFree = true
    for (const pid of browsersOf(server)) kill(pid)
    expect((await Promise.all(printed)).map(({ text }) => text)).toEqual(['Held', 'Held'])
    await expectToWork(server)
  })

  it('only with its page: another page prints the document', async () => {
    isFree = false
    const before = site.visits.length
    const printed = print(server, held(site))
    await eventually(() => expect(site.visits.length).toBeGreaterThan(before))
    isFree = true
    const renderers = processesOf(server).filter((pid) => commandOf(pid).includes('--type=renderer'))
    for (const pid of renderers) kill(pid)
    expect((await printed).text).toBe('Held')
  })

  it('twice with the same document: that fails, and the next one is printed', async () => {
    const deadly = { html: `<img src="${site.url}/deadly"><p>Never`, wait_for: 'selector:#never' }
    expect(await refusal(server, deadly)).toMatchObject({ http: 502, status_code: 'crashed' })
    expect(site.visits).toContain('/deadly')
    await eventually(() => expectToWork(server))
  })

  it('while it is idle: another takes its place', async () => {
    await untilWarm(server)
    const [before] = browsersOf(server)
    kill(before!)
    await eventually(() => expect(browsersOf(server).filter((pid) => pid !== before).length).toBeGreaterThan(0))
    await expectToWork(server)
  })
})

describe('a browser after RECYCLE_AFTER documents', { timeout: 180_000 }, () => {
  const server = useServer({ RECYCLE_AFTER: '2', PAGES: '2' })

  it('is replaced without failing a document', async () => {
    const used = new Set<number>()
    // Prints until three browsers were used: one may print several documents while the next one starts.
    while (used.size <= 2) {
      await Promise.all([print(server, { html: '<p>x' }), print(server, { html: '<p>y' })])
      for (const pid of browsersOf(server)) used.add(pid)
    }
    await eventually(() => expect(browsersOf(server).length).toBe(1))
  })
})

describe('a browser above MAX_MEMORY', { timeout: 180_000 }, () => {
  const server = useServer({ MAX_MEMORY: '1000000000' })

  it('is killed, and the document with it', async () => {
    const html = '<script>all = []; for (let i = 0; i < 60; i++) all.push(new Uint8Array(50e6).fill(i + 1))</script>'
    const { http } = await refusal(server, { html, wait_for: 'selector:#never' })
    expect(http).toBe(502)
    await eventually(() => expectToWork(server))
  })
})

describe('a client that disconnects', () => {
  const server = useServer({ PAGES: '1' })

  it('cancels its document', async () => {
    const gone = new AbortController()
    const printed = post(server, { html: '<script>for (;;);</script>' }, { signal: gone.signal })
    await untilBusy(server)
    gone.abort()
    await expect(printed).rejects.toThrow()
    await untilBusy(server, 0)
    await eventually(() => expectToWork(server))
  })
})

describe.skipIf(process.platform === 'win32')('a server that exits', { timeout: 180_000 }, () => {
  const site = useSite(holding)

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGKILL'])('by %s leaves no process', async (signal) => {
    const server = await startServer({ ALLOW_PRIVATE_TARGETS: 'true', MAX_SECONDS: '55' })
    await untilWarm(server)
    isFree = false
    const printed = post(server, held(site)).then(
      ({ status }) => status,
      () => 'gone',
    )
    await untilBusy(server)
    await stop(server.process, signal)
    expect(['gone', 503]).toContain(await printed)
    await untilGone(server)
    if (signal !== 'SIGKILL') expect(existsSync(join(server.workDir, 'profiles'))).toBe(false)
  })

  it('before its browser has started leaves no process', async () => {
    const server = await startServer()
    await stop(server.process, 'SIGKILL')
    await untilGone(server)
  })
})

describe('a browser that does not start', () => {
  it('is not available, and tried again', async () => {
    const server = await startServer({ CHROMIUM: '/bin/false' })
    const response = await post(server, { html: '<p>x' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toMatchObject({ status_code: 'unavailable' })
  })

  it('makes the server fail at start if CHROMIUM is not a program', async () => {
    await expect(startServer({ CHROMIUM: '/nowhere' })).rejects.toThrow()
  })
})
