import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { findChromium } from '../../../containers/chromium/browser/executable.ts'
import { type Installation, launch, type Sandbox, sandboxesFor } from '../../../containers/chromium/browser/launch.ts'
import { openTab } from '../../../containers/chromium/browser/tab.ts'
import { Warm } from '../../../containers/chromium/browser/warm.ts'

const [usual, none] = sandboxesFor(process.getuid?.() === 0) as [Sandbox, Sandbox]

async function install(...sandboxes: Sandbox[]): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'chromium-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const executable = await findChromium(undefined, folder)
  return { executable, profiles: join(folder, 'profiles'), temporary: join(folder, 't'), env: {}, sandboxes }
}

/** One that ends at once, and says so. */
const broken = (said: string): Sandbox => ({ ...usual, before: ['sh', '-c', `echo '${said}' >&2; exit 1`] })

it('does without a sandbox where the system has none, and remembers it', async () => {
  const installation = await install(broken('No usable sandbox!'), none)
  const { child } = await launch(installation)
  child.kill()
  await child.ended
  expect(installation.sandboxes).toEqual([none])
  const { profiles, temporary } = installation
  await vi.waitFor(() => expect([profiles, temporary].map((folder) => readdirSync(folder))).toEqual([[], []]), 10_000)
})

it('leaves no way out open when it ends, of tabs that nobody took', async () => {
  const ownPorts = new Set<number>()
  const network = { rule: { allowPrivate: false, nameServers: [], ownPorts }, maxTraffic: 1 }
  const launched = await launch(await install(usual, none))
  const warm = await Warm.from(launched, network, 2)
  // Once a tab has opened that was begun later, and another, they are open as well.
  for (let i = 0; i < 2; i++) await (await openTab(launched.browser, network)).close()
  expect(ownPorts.size).toBe(2)
  warm.kill()
  await warm.ended
  await vi.waitFor(() => expect(ownPorts.size).toBe(0), 10_000)
})

it('does not do without it where something else is wrong', async () => {
  const installation = await install(broken('No space left'), none)
  await expect(launch(installation)).rejects.toThrow('does not start')
  expect(installation.sandboxes.length).toBe(2)
})
