// Tests the console's page of media in a browser, with uploads that are interrupted.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { askJson } from '../http.ts'
import { only } from '../stack.ts'
import { arrival, type Console, holdsUp, pageTimeout, startConsole } from './console.ts'

const samples = (...names: string[]) => names.map((name) => `docs/samples/${name}`)

/** The URL at the host of the API, since Node.js may not resolve the host of the console. */
const reachable = (url: string) => url.replace('console.localhost', 'localhost')

/** Size of a file in bytes that the console must upload in several requests. */
const large = 12_000_000

describe.skipIf(!has('chromium') || !has('ffmpeg'))('the page of media', () => {
  let console: Console
  const folder = mkdtempSync(join(tmpdir(), 'console-media-'))

  beforeAll(async () => {
    console = await startConsole({ components: only('media', 'queue') })
  })

  afterAll(async () => {
    await console?.dispose()
    rmSync(folder, { recursive: true })
  })

  /** The errors that the browser logged, without those of connections that a test has broken. */
  const ownComplaints = () => console.complaints.splice(0).filter((text) => !text.includes('ERR_FAILED'))

  const choose = (page: Page, ...files: string[]) =>
    page.getByLabel('Drop files here, or choose them').setInputFiles(files)

  const drop = (page: Page, name: string) =>
    page.evaluate(`{
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['new'], '${name}', { type: 'text/plain' }))
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
      document.querySelector('.drop').dispatchEvent(event)
    }`)

  const upload = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Uploads', exact: true }).getByRole('listitem', { name })

  const arrived = (page: Page, name: string) => upload(page, name).getByText('done', { exact: true }).waitFor()

  const tile = (page: Page, name: string) => page.getByRole('article').getByRole('link', { name })

  const newFile = (name: string, bytes = randomBytes(large)) => {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    return { path, bytes }
  }

  /** Makes a video file that the media component must transcode before browsers can play it. */
  const film = (name: string) => {
    const path = join(folder, name)
    const source = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=30:duration=2']
    execFileSync('ffmpeg', ['-v', 'error', ...source, '-c:v', 'mpeg4', path], { timeout: 60_000 })
    return path
  }

  /** Stops the media container while `work` runs, so that nothing is processed. */
  const withoutProcessing = async (work: () => Promise<void>) => {
    const container = console.stack.containers.media!
    await container.up()
    const pid = container.pid()!
    process.kill(pid, 'SIGSTOP')
    await work().finally(() => process.kill(pid, 'SIGCONT'))
  }

  const download = async (page: Page, name: string) => {
    await upload(page, name).getByRole('link', { name }).click()
    const address = await page.getByRole('link', { name: 'Download' }).getAttribute('href')
    return Buffer.from(await (await fetch(reachable(address!))).arrayBuffer())
  }

  const store = async (kind: string, name: string, bytes: Uint8Array<ArrayBuffer>) => {
    const body = new FormData()
    body.append('file', new File([bytes], name))
    const reply = await fetch(`${console.stack.url}/media/${kind}`, { method: 'POST', body })
    return ((await reply.json()) as { digest: string }).digest
  }

  /** Breaks the connection of every upload request after the first one, until `giveBack` is called. */
  const loseConnection = async (page: Page) => {
    const offsets: number[] = []
    let isLost = true
    await page.route('**/media/tus/**', async (route) => {
      const request = route.request()
      if (request.method() !== 'PATCH') return route.continue()
      const offset = Number(request.headers()['upload-offset'])
      if (isLost && offset > 0) return route.abort()
      offsets.push(offset)
      return route.continue()
    })
    const giveBack = () => {
      isLost = false
    }
    return { offsets, giveBack }
  }

  it.skipIf(!has('ffmpeg'))('uploads a video, shows its progress, and plays it', async () => {
    const page = await console.open('/media')
    await page.getByText('No items yet.', { exact: false }).waitFor()
    await holdsUp(page)
    await withoutProcessing(async () => {
      await choose(page, film('film.mkv'))
      await arrived(page, 'film.mkv')
      await tile(page, 'film.mp4').getByText('processing').waitFor()
    })
    await choose(page, ...samples('clip.mp4'))
    for (const name of ['film.mp4', 'clip.mp4']) await tile(page, name).locator('img').waitFor()
    await holdsUp(page)
    await tile(page, 'clip.mp4').click()
    await page.getByRole('heading', { name: 'clip.mp4' }).waitFor()
    await arrival(page, 'clip.mp4')
    await page.locator('video').focus()
    await page.keyboard.press('Space')
    const at = () => page.evaluate<number>("document.querySelector('video').currentTime")
    await expect.poll(at, pageTimeout).toBeGreaterThan(0.2)
    await page.getByText('ready', { exact: true }).waitFor()
    await holdsUp(page)
    expect(console.complaints).toEqual([])
  })

  it('uploads several files by their media types, and plays audio', async () => {
    const page = await console.open('/media')
    await choose(page, ...samples('photo.jpg', 'tone.mp3', 'invoice.html'))
    for (const name of ['photo.jpg', 'tone.mp3', 'invoice.html']) await arrived(page, name)
    const photo = tile(page, 'photo.jpg').locator('img')
    await photo.waitFor()
    expect(await photo.getAttribute('src')).toMatch(/\/media\/image\/.*w=320/)
    await tile(page, 'invoice.html').waitFor()
    await upload(page, 'tone.mp3')
      .getByRole('button', { name: /^Remove from the list/ })
      .click()
    await upload(page, 'tone.mp3').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Audio', exact: true }).click()
    await expect.poll(() => page.getByRole('article').count(), pageTimeout).toBe(1)
    await holdsUp(page)
    await tile(page, 'tone.mp3').click()
    await arrival(page, 'tone.mp3')
    await page.locator('audio').focus()
    await page.keyboard.press('Space')
    const at = () => page.evaluate<number>("document.querySelector('audio').currentTime")
    await expect.poll(at, pageTimeout).toBeGreaterThan(0.2)
    await holdsUp(page)
    expect(console.complaints).toEqual([])
  })

  it('resumes an upload when the connection is back', async () => {
    const { path, bytes } = newFile('lost.bin')
    const page = await console.open('/media')
    const { offsets, giveBack } = await loseConnection(page)
    await choose(page, path)
    await upload(page, 'lost.bin').getByText('interrupted', { exact: true }).waitFor()
    await holdsUp(page)
    giveBack()
    await arrived(page, 'lost.bin')
    expect(offsets).toEqual([0, 10_485_760])
    expect(bytes.equals(await download(page, 'lost.bin'))).toBe(true)
    expect(ownComplaints()).toEqual([])
  })

  it('resumes an upload after a reload when the same file is chosen again', async () => {
    const { path, bytes } = newFile('again.bin')
    const page = await console.open('/media')
    const { offsets, giveBack } = await loseConnection(page)
    await choose(page, path)
    await upload(page, 'again.bin').getByText('interrupted', { exact: true }).waitFor()
    await page.reload()
    const left = page.getByRole('list', { name: 'Unfinished uploads' })
    await left.getByText('again.bin', { exact: false }).first().waitFor()
    await holdsUp(page)
    giveBack()
    await choose(page, path)
    await arrived(page, 'again.bin')
    await left.waitFor({ state: 'detached' })
    expect(offsets).toEqual([0, 10_485_760])
    expect(bytes.equals(await download(page, 'again.bin'))).toBe(true)
    expect(ownComplaints()).toEqual([])
  })

  it('deletes an upload that an earlier visit left unfinished', async () => {
    const { path } = newFile('left.bin')
    const page = await console.open('/media')
    await loseConnection(page)
    const [made] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/tus')),
      choose(page, path),
    ])
    await upload(page, 'left.bin').getByText('interrupted', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Delete left.bin' }).click()
    await page.getByText('Upload deleted.').waitFor()
    const headers = { 'tus-resumable': '1.0.0' }
    expect((await fetch(reachable(made.headers().location!), { method: 'HEAD', headers })).status).toBe(404)
    expect(ownComplaints()).toEqual([])
  })

  it('pauses, resumes and cancels an upload', async () => {
    const { path } = newFile('paused.bin')
    const page = await console.open('/media')
    const { giveBack } = await loseConnection(page)
    await choose(page, path)
    await upload(page, 'paused.bin').getByText('interrupted', { exact: true }).waitFor()
    await upload(page, 'paused.bin').getByRole('button', { name: 'Pause paused.bin' }).click()
    await upload(page, 'paused.bin').getByText('paused', { exact: true }).waitFor()
    giveBack()
    await upload(page, 'paused.bin').getByRole('button', { name: 'Resume paused.bin' }).click()
    await arrived(page, 'paused.bin')
    const other = newFile('canceled.bin')
    await page.route('**/media/tus/**', (route) =>
      route.request().method() === 'PATCH' ? undefined : route.continue(),
    )
    const ended = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await Promise.all([page.waitForRequest((request) => request.method() === 'PATCH'), choose(page, other.path)])
    await upload(page, 'canceled.bin').getByRole('button', { name: 'Cancel: canceled.bin' }).click()
    await upload(page, 'canceled.bin').waitFor({ state: 'detached' })
    expect((await ended).status()).toBe(204)
    expect(ownComplaints()).toEqual([])
  })

  it('shows why a file is rejected, and uploads it as another kind', async () => {
    const { path } = newFile('notes.txt', Buffer.from('These are notes.'))
    const page = await console.open('/media')
    await page.getByLabel('Store as').selectOption('image')
    await choose(page, path)
    await upload(page, 'notes.txt').getByRole('alert').getByText('file must be a JPEG', { exact: false }).waitFor()
    await upload(page, 'notes.txt').getByRole('button', { name: 'Try again: notes.txt' }).waitFor()
    await holdsUp(page)
    await upload(page, 'notes.txt').getByRole('button', { name: 'Cancel: notes.txt' }).click()
    await page.getByLabel('Store as').selectOption('file')
    await choose(page, path)
    await arrived(page, 'notes.txt')
    await tile(page, 'notes.txt').waitFor()
    expect(await page.getByRole('list', { name: 'Unfinished uploads' }).count()).toBe(0)
    expect(console.complaints.splice(0)[0]).toContain('status of 415')
  })

  it('rotates an image, crops it, shows it in another size, and deletes it', async () => {
    const digest = await store('image', 'photo.jpg', new Uint8Array(readFileSync('docs/samples/photo.jpg')))
    const page = await console.open(`/media/image/${digest}`, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByText('640 × 427 pixels').waitFor()
    await holdsUp(page)
    await page.getByRole('button', { name: 'Square' }).click()
    await page.getByText('200 × 200 pixels').waitFor()
    await page.getByLabel('Width', { exact: true }).fill('90')
    await page.getByText('90 × 200 pixels').waitFor()
    await page.getByRole('button', { name: 'Copy the URL of this size' }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`/media/image/${digest}?w=90&h=200&m=c`)
    await page.getByRole('button', { name: '90° clockwise' }).click()
    await page.getByText('800 × 1200').waitFor()
    for (const [label, value] of Object.entries({
      'Crop width': '300',
      'Crop height': '200',
      Left: '10',
    }))
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Crop', exact: true }).click()
    await page.getByText('300 × 200', { exact: true }).waitFor()
    const cropped = page.url().split('/').at(-1)!
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Item deleted.').waitFor()
    await page.getByRole('heading', { name: 'Media', exact: true }).waitFor()
    expect((await askJson(`${console.stack.url}/media/image/${cropped}/info`, 'GET')).status).toBe(404)
    expect(console.complaints).toEqual([])
  })

  it('sets the crop box by drawing over the image', async () => {
    const digest = await store('image', 'photo.jpg', new Uint8Array(readFileSync('docs/samples/photo.jpg')))
    const page = await console.open(`/media/image/${digest}`)
    const picture = page.getByAltText('Area to crop')
    await page.getByText('640 × 427 pixels').waitFor()
    await expect.poll(() => page.evaluate("document.querySelector('.crop img').naturalWidth"), pageTimeout).toBe(640)
    await picture.scrollIntoViewIfNeeded()
    const { x, y, width, height } = (await picture.boundingBox())!
    await page.mouse.move(x + width / 4, y + height / 4)
    await page.mouse.down()
    await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => page.getByLabel('Crop width').inputValue()).toBe('300')
    expect(await page.getByLabel('Top', { exact: true }).inputValue()).toBe('200')
    expect(console.complaints).toEqual([])
  })

  it('loads the next page, and keeps the loaded items when a new one arrives', async () => {
    for (let i = 0; i < 50; i++) await store('file', `page-${i}.txt`, new Uint8Array(Buffer.from(`${i}`)))
    const page = await console.open('/media?kind=file')
    await expect.poll(() => page.getByRole('article').count(), pageTimeout).toBe(48)
    await page.getByRole('button', { name: 'More' }).click()
    await tile(page, 'page-0.txt').waitFor()
    const shown = await page.getByRole('article').count()
    await drop(page, 'newest.txt')
    await expect.poll(() => page.getByRole('article').first().textContent(), pageTimeout).toContain('newest.txt')
    expect(await page.getByRole('article').count()).toBe(shown + 1)
    await holdsUp(page)
    expect(console.complaints).toEqual([])
  })

  it('shows an error for an item that does not exist', async () => {
    const page = await console.open('/media/image/nothing123')
    await page.getByRole('alert').waitFor()
    await holdsUp(page)
    expect(console.complaints.splice(0)).toEqual([expect.stringContaining('status of 404')])
  })

  it('stops polling for a video that does not exist', async () => {
    const page = await console.open('/nowhere')
    let requests = 0
    page.on('request', (request) => void (request.url().endsWith('/video/nothing123/info') && requests++))
    await page.clock.install()
    await page.goto(`${console.url}#/media/video/nothing123`)
    await page.getByRole('alert').waitFor()
    await expect.poll(() => requests).toBe(2)
    await page.clock.runFor(10_000)
    expect(requests).toBe(2)
    for (const complaint of console.complaints.splice(0)) expect(complaint).toContain('status of 404')
  })
})

describe.skipIf(!has('chromium'))('the media page with signing in, and components on other origins', () => {
  let console: Console

  beforeAll(async () => {
    const variables = { AUTH_TOKENS: 'of the tests', BASE_URL: 'https://{component}.example.com' }
    console = await startConsole({ components: only('media', 'queue'), variables })
  })

  afterAll(() => console?.dispose())

  const signIn = async (page: Page) => {
    await page.getByLabel('Key').fill('of the tests')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Media' }).waitFor()
  }

  const uploads = (page: Page) => page.getByRole('list', { name: 'Uploads', exact: true })

  it('uploads files to its own origin, shows them, and clears the list of uploads on signing out', async () => {
    const page = await console.open('/media')
    await signIn(page)
    await page.getByLabel('Drop files here, or choose them').setInputFiles(samples('photo.jpg'))
    await uploads(page).getByText('done', { exact: true }).waitFor()
    const picture = page.getByRole('article').locator('img')
    await expect
      .poll(() => picture.evaluate((image) => Reflect.get(image, 'naturalWidth')), pageTimeout)
      .toBeGreaterThan(0)
    expect(console.complaints.splice(0).filter((line) => !/status of 40[14]/.test(line))).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page)
    await page.getByRole('article').first().waitFor()
    expect(await uploads(page).count()).toBe(0)
  })
})
