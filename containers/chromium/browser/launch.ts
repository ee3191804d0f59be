// Launches Chromium: creates its profile folder, tries the sandboxes in order, and connects puppeteer to the browser.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import { noSandboxError } from '../print/errors.ts'
import { type BrowserProcess, startBrowserProcess } from './browser-process.ts'
import { flagsFor } from './flags.ts'
import type { Executable } from './npm-chromium.ts'

/** Executable, folders and environment of browsers. */
export interface Installation {
  executable: Executable
  /** Folder of the profiles. Each browser gets a subfolder, which is deleted when the browser exits. */
  profiles: string
  /**
   * Folder of the browsers' sockets. Its path must be short, since the paths of sockets are limited. Each browser gets
   * a subfolder.
   */
  temporary: string
  /** Additional environment variables. */
  env: Record<string, string>
  /** Sandboxes to try, in order. After the first successful start, only the sandbox that works is left. */
  sandboxes: Sandbox[]
}

export interface Launched {
  browser: Browser
  version: string
  child: BrowserProcess
}

/** Time limit of a start. It is long, because the machine may be starting many processes at once. */
const startTimeoutMs = 20_000

/** A way to confine the browser's processes: a command prefix and flags. */
export interface Sandbox {
  name: 'own' | 'namespace' | 'none'
  prefix: string[]
  flags: string[]
}

// Runs the browser in a user namespace under another user id, since Chromium refuses to run as root with its sandbox.
const namespaceCommand = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']

/**
 * The sandboxes to try, in this order. Without user namespaces only `none` works. It is tried only if
 * `CHROMIUM_NO_SANDBOX` allows it: without a sandbox, an exploit of the renderer would own the container.
 */
export const sandboxesFor = (isRoot: boolean, mayLackSandbox: boolean): Sandbox[] => [
  isRoot ? { name: 'namespace', prefix: namespaceCommand, flags: [] } : { name: 'own', prefix: [], flags: [] },
  ...(mayLackSandbox ? [{ name: 'none' as const, prefix: [], flags: ['--no-sandbox'] }] : []),
]

/** Starts a browser, which is killed when the signal aborts. Rejects if the browser does not start or the signal aborts first. */
export async function launch(installation: Installation, signal: AbortSignal): Promise<Launched> {
  const { sandboxes } = installation
  for (;;) {
    signal.throwIfAborted()
    const [sandbox] = sandboxes
    const { launched, log } = await attempt(installation, sandbox!, signal)
    if (launched) {
      // Keeps only the sandbox that has worked, so that later starts need not try the others.
      sandboxes.splice(0, sandboxes.length, sandbox!)
      return launched
    }
    signal.throwIfAborted()
    const isLast = sandbox === sandboxes.at(-1)
    const isRefused = /sandbox|unshare|namespace/i.test(log)
    if (isLast && isRefused && sandbox!.name !== 'none') throw noSandboxError()
    if (isLast || !isRefused) throw new Error('Chromium does not start')
    // Removes the sandbox that failed, unless a concurrent start has removed it already.
    if (sandbox === sandboxes[0]) sandboxes.shift()
    console.error(JSON.stringify({ level: 'warn', message: 'Chromium cannot use its sandbox on this system' }))
  }
}

async function attempt(
  { executable, profiles, temporary, env }: Installation,
  { prefix, flags }: Sandbox,
  signal: AbortSignal,
) {
  const [profile, sockets] = await Promise.all([folderIn(profiles), folderIn(temporary)])
  const command = [...prefix, executable.path, ...(await flagsFor(executable.path, profile)), ...flags]
  const child = startBrowserProcess(command, environment(profile, sockets, executable, env))
  const removed = child.ended.then(() => Promise.all([profile, sockets].map(remove)))
  const timer = setTimeout(child.kill, startTimeoutMs)
  if (signal.aborted) child.kill()
  signal.addEventListener('abort', child.kill)
  void child.ended.then(() => signal.removeEventListener('abort', child.kill))
  try {
    const connected = connect(child).catch(() => undefined)
    const launched = await Promise.race([connected, child.ended.then(() => undefined)])
    if (launched) return { launched, log: '' }
    child.kill()
  } finally {
    clearTimeout(timer)
  }
  await removed
  return { launched: undefined, log: await child.ended }
}

/** Connects puppeteer to the browser. The browser has started once it returns its version. */
async function connect(child: BrowserProcess): Promise<Launched> {
  const { transport } = child
  const browser = await puppeteer.connect({ transport, protocolTimeout: 600_000, defaultViewport: null })
  return { browser, version: await browser.version(), child }
}

async function folderIn(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  return mkdtemp(join(folder, 'browser-'))
}

const environment = (profile: string, sockets: string, { libraries }: Executable, env: Record<string, string>) => ({
  PATH: process.env.PATH,
  HOME: profile,
  TMPDIR: sockets,
  TZ: process.env.TZ ?? 'UTC',
  LC_ALL: 'C.UTF-8',
  ...(libraries && { LD_LIBRARY_PATH: libraries }),
  ...env,
})

/** Deletes a folder, with retries, because the last processes of the browser may still write to it. */
const remove = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {})
