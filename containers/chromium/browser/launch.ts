import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import puppeteer, { type Browser } from 'puppeteer-core'
import { noSandbox } from '../print/refusals.ts'
import { type BrowserProcess, startChild } from './child.ts'
import { flagsFor } from './flags.ts'
import type { Executable } from './package.ts'

/** What browsers are started with. */
export interface Installation {
  executable: Executable
  /** Of the profiles, each in a folder of its own for as long as its browser lives. */
  profiles: string
  /** The same of their sockets, whose paths must not be long. */
  temporary: string
  /** What the environment has besides. */
  env: Record<string, string>
  /** How it is confined, found out by the first start. */
  sandboxes: Sandbox[]
}

export interface Launched {
  browser: Browser
  version: string
  child: BrowserProcess
}

/** Milliseconds until it has to be up: on a machine that starts everything at once. */
const patience = 20_000

/** A way to confine the browser's processes: the command that comes before it, and what it is told. */
export interface Sandbox {
  name: 'own' | 'namespace' | 'none'
  before: string[]
  flags: string[]
}

// It refuses to be root with a sandbox: in a namespace of its own it is somebody else.
const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--']

/**
 * The sandboxes to try, in this order. Without user namespaces only `none` works, which is tried only if `CHROMIUM_NO_SANDBOX`
 * allows it: an exploit of the renderer would own the container.
 */
export const sandboxesFor = (isRoot: boolean, mayLackSandbox: boolean): Sandbox[] => [
  isRoot ? { name: 'namespace', before: namespace, flags: [] } : { name: 'own', before: [], flags: [] },
  ...(mayLackSandbox ? [{ name: 'none' as const, before: [], flags: ['--no-sandbox'] }] : []),
]

/** A browser that is up, until the signal aborts; rejects when that comes first. */
export async function launch(installation: Installation, signal: AbortSignal): Promise<Launched> {
  const { sandboxes } = installation
  for (;;) {
    signal.throwIfAborted()
    const [sandbox] = sandboxes
    const { launched, log } = await attempt(installation, sandbox!, signal)
    if (launched) {
      // What has worked once is not given up.
      sandboxes.splice(0, sandboxes.length, sandbox!)
      return launched
    }
    signal.throwIfAborted()
    const isLast = sandbox === sandboxes.at(-1)
    const isRefused = /sandbox|unshare|namespace/i.test(log)
    if (isLast && isRefused && sandbox!.name !== 'none') throw noSandbox()
    if (isLast || !isRefused) throw new Error('Chromium does not start')
    // Unless another start has found that out meanwhile.
    if (sandbox === sandboxes[0]) sandboxes.shift()
    console.error(JSON.stringify({ level: 'warn', message: 'Chromium cannot have its sandbox here' }))
  }
}

async function attempt(
  { executable, profiles, temporary, env }: Installation,
  { before, flags }: Sandbox,
  signal: AbortSignal,
) {
  const [profile, sockets] = await Promise.all([folderIn(profiles), folderIn(temporary)])
  const command = [...before, executable.path, ...(await flagsFor(executable.path, profile)), ...flags]
  const child = startChild(command, environment(profile, sockets, executable, env))
  const removed = child.ended.then(() => Promise.all([profile, sockets].map(remove)))
  const timer = setTimeout(child.kill, patience)
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

/** It is up when it has answered. */
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

/** Its last processes may still be writing there. */
const remove = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {})
