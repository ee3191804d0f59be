// node server.ts: HTTP server that prints PDFs with Chromium, for the PDF component. The first line of output is its
// address.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { BrowserPool } from './browser/browser-pool.ts'
import { findChromium, isChromium } from './browser/executable.ts'
import { configureFonts } from './browser/fonts.ts'
import { type Installation, sandboxesFor } from './browser/launch.ts'
import type { EgressRule } from './egress/rule.ts'
import { listener } from './routes.ts'
import { readSettings } from './settings.ts'

const settings = readSettings(process.env)
const { workDir, allowPrivateTargets, nameServers } = settings
if (settings.chromium && !isChromium(settings.chromium))
  throw new Error(`CHROMIUM must be the path or name of a program, or "package", got "${settings.chromium}"`)
const profiles = join(workDir, 'profiles')
await rm(profiles, { recursive: true, force: true })
await mkdir(profiles, { recursive: true })
const temporary = await mkdtemp(join(tmpdir(), 'qm-'))

const rule: EgressRule = { allowPrivate: allowPrivateTargets, nameServers, ownPorts: new Set() }
const pool = new BrowserPool(install, { rule, maxTraffic: settings.maxTraffic }, settings)

const server = createServer(listener(settings, pool))
// Longer than clients keep idle connections, so that the server never closes a connection that a client is about to
// use.
server.keepAliveTimeout = 120_000
server.listen(settings.port, settings.host, () => {
  const { address, port } = server.address() as AddressInfo
  rule.ownPorts.add(port)
  console.log(`http://${address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address}:${port}`)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void end().finally(() => process.exit(0)))
}

async function end() {
  await Promise.race([pool.dispose(), after(5_000)])
  // Deletion is retried, since the last processes of a killed browser may still write to these folders.
  const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }
  await Promise.allSettled([profiles, temporary].map((folder) => rm(folder, removal)))
}

async function install(): Promise<Installation> {
  const executable = await findChromium(settings.chromium, workDir)
  const env = await configureFonts(workDir)
  return {
    executable,
    profiles,
    temporary,
    env,
    sandboxes: sandboxesFor(process.getuid?.() === 0, settings.mayLackSandbox),
  }
}
