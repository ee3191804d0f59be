// Tests how Chromium is started: sandboxes, failures, and tabs when it dies.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { BrowserInstance } from '../../../containers/chromium/browser/browser-instance.ts'
import { BrowserPool } from '../../../containers/chromium/browser/browser-pool.ts'
import { findChromium } from '../../../containers/chromium/browser/executable.ts'
import { type Installation, launch, type Sandbox, sandboxesFor } from '../../../containers/chromium/browser/launch.ts'
import { BrowserLost, openTab } from '../../../containers/chromium/browser/tab.ts'
import { startedWithoutFiles } from '../files.ts'

const [usual, none] = sandboxesFor(process.getuid?.() === 0, true) as [Sandbox, Sandbox]

async function install(...sandboxes: Sandbox[]): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'chromium-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const executable = await findChromium(undefined, folder)
  return { executable, profiles: join(folder, 'profiles'), temporary: join(folder, 't'), env: {}, sandboxes }
}

const lasting = new AbortController().signal

/** A sandbox whose process prints this text and exits at once. */
const broken = (said: string): Sandbox => ({ ...usual, prefix: ['sh', '-c', `echo '${said}' >&2; exit 1`] })

const untilEmpty = ({ profiles, temporary }: Installation) =>
  vi.waitFor(() => expect([profiles, temporary].map((folder) => readdirSync(folder))).toEqual([[], []]), 60_000)

it('runs without a sandbox if the system has none, and remembers that', async () => {
  const installation = await install(broken('No usable sandbox!'), none)
  const { child } = await launch(installation, lasting)
  child.kill()
  await child.ended
  expect(installation.sandboxes).toEqual([none])
  await untilEmpty(installation)
})

it('refuses to run without a sandbox unless the variable allows it, and names the variable', async () => {
  const allowed = sandboxesFor(false, false).concat(sandboxesFor(true, false))
  expect(allowed.map(({ name, flags }) => [name, flags])).toEqual([
    ['own', []],
    ['namespace', []],
  ])
  const installation = await install(broken('No usable sandbox!'))
  const rule = { allowPrivate: false, nameServers: [], ownPorts: new Set<number>() }
  const limits = { warm: true, recycleAfter: 1, maxMemory: 1e10 }
  const browsers = new BrowserPool(() => Promise.resolve(installation), { rule, maxTraffic: 1 }, limits)
  onTestFinished(() => browsers.dispose())
  await expect(browsers.ready(lasting)).rejects.toMatchObject({
    status: 503,
    code: 'not_configured',
    message: expect.stringContaining('CHROMIUM_NO_SANDBOX=true'),
  })
})

it.each([0, 50, 300])(
  'ends the browser and leaves no process or file when it is aborted after %i ms',
  async (milliseconds) => {
    const installation = await install(usual, none)
    const over = AbortSignal.timeout(milliseconds)
    const launched = await launch(installation, over).catch((error) => {
      expect(error).toBe(over.reason)
      return undefined
    })
    await launched?.child.ended
    await untilEmpty(installation)
  },
)

it('closes the proxies of unused tabs when it exits', async () => {
  const ownPorts = new Set<number>()
  const network = { rule: { allowPrivate: false, nameServers: [], ownPorts }, maxTraffic: 1 }
  const launched = await launch(await install(usual, none), lasting)
  const warm = new BrowserInstance(launched, network, 2)
  // Opens two more tabs, after which the spare tabs, which were begun before, are open too.
  for (let i = 0; i < 2; i++) await (await openTab(launched.browser, network)).close()
  expect(ownPorts.size).toBe(2)
  warm.kill()
  await warm.ended
  await vi.waitFor(() => expect(ownPorts.size).toBe(0), 60_000)
})

it('rejects callers that wait for a tab when the browser dies, also with a half-open tab', async () => {
  const launched = await launch(await install(usual, none), lasting)
  const rule = { allowPrivate: false, nameServers: [], ownPorts: new Set<number>() }
  const warm = new BrowserInstance(launched, { rule, maxTraffic: 1 }, 0)
  // Drops the event about the new page: the browser seems to die while it opens a page.
  const ordered = Promise.withResolvers<void>()
  const { transport } = launched.child
  const { onmessage } = transport
  transport.onmessage = (message) => {
    if (message.includes('"type":"page"')) return
    onmessage?.(message)
    if (message.includes('"result":{"targetId"')) ordered.resolve()
  }
  const taken = warm.acquire()
  taken.catch(() => {})
  await ordered.promise
  launched.child.kill()
  const first = await Promise.race([taken.catch((error) => error), warm.ended.then(() => setTimeout(5_000))])
  expect(first).toBeInstanceOf(BrowserLost)
})

it('keeps a sandbox that has worked, even if a later start fails', async () => {
  const installation = await install(none)
  const first = join(installation.profiles, '..', 'first')
  const script = `mkdir '${first}' && exec "$@"; echo 'No usable sandbox!' >&2; exit 1`
  const once: Sandbox = { ...none, prefix: ['sh', '-c', script, 'sh'] }
  installation.sandboxes.unshift(once)
  const { child } = await launch(installation, lasting)
  child.kill()
  await child.ended
  await expect(launch(installation, lasting)).rejects.toThrow('does not start')
  expect(installation.sandboxes).toEqual([once])
})

it('gives up on a browser that never returns its version', async () => {
  const script = `
    let text = ''
    fs.createReadStream('', { fd: 3, encoding: 'utf8' }).on('data', (part) => {
      const orders = (text + part).split('\\0')
      text = orders.pop()
      for (const { id, method } of orders.map((order) => JSON.parse(order)))
        if (method === 'Browser.getVersion') fs.writeFileSync(process.env.ASKED, '')
        else fs.writeSync(4, JSON.stringify({ id, result: { browserContextIds: [] } }) + '\\0')
    })`
  const installation = await install({ ...none, prefix: [process.execPath, '-e', script] })
  const marker = join(installation.profiles, '..', 'asked')
  installation.env.ASKED = marker
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const started = launch(installation, lasting)
  while (!existsSync(marker)) await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(20_000)
  await expect(started).rejects.toThrow('does not start')
  vi.useRealTimers()
  await untilEmpty(installation)
})

it('reports that the browser cannot start at the limit of open files', async () => {
  expect(
    await startedWithoutFiles('containers/chromium/browser/browser-process.ts', `startBrowserProcess(['true'], {})`),
  ).toBe('cannot be started')
})

it('keeps the sandbox if a start fails for another reason', async () => {
  const installation = await install(broken('No space left'), none)
  await expect(launch(installation, lasting)).rejects.toThrow('does not start')
  expect(installation.sandboxes.length).toBe(2)
})

it.each([
  ['is retried while a caller waits', 2, '^Chrom'],
  ['fails for the caller after three attempts in a row', 3, 'unavailable'],
])('a failed start %s', async (_, failures, outcome) => {
  const installation = await install(usual, none)
  let begun = 0
  const flaky = () => (begun++ < failures ? Promise.reject(new Error('No space left')) : Promise.resolve(installation))
  const rule = { allowPrivate: false, nameServers: [], ownPorts: new Set<number>() }
  const limits = { warm: false, recycleAfter: 1, maxMemory: 1e10 }
  const browsers = new BrowserPool(flaky, { rule, maxTraffic: 1 }, limits)
  onTestFinished(() => browsers.dispose())
  const outcomeOfWait = browsers.ready(lasting).then(
    ({ version }) => version,
    ({ code }) => code,
  )
  expect(await outcomeOfWait).toMatch(new RegExp(outcome))
})
