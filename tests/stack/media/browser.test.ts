// Tests that a browser shows and plays the files of the media component.
import type { Browser, Page, Response } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { clip, h264 } from './clips.ts'
import { pollOptions, startMedia, store } from './service.ts'

const canRun = ['chromium', 'ffmpeg'].every(has)

describe.skipIf(!canRun)('in a browser', () => {
  let stack: Stack
  let browser: Browser

  beforeAll(async () => {
    const [started, launched] = await Promise.all([startMedia(), startBrowser()])
    stack = started
    browser = launched
    await stack.containers.media!.up()
  })

  afterAll(() => Promise.all([browser.close(), stack.dispose()]))

  /** Opens a page with this body at the component's address, and records the replies that it gets. */
  async function show(body: string): Promise<{ page: Page; replies: Response[] }> {
    const page = await openPage(browser)
    const replies: Response[] = []
    page.on('response', (reply) => void (reply.url().includes('/media/') && replies.push(reply)))
    await page.route(`${stack.url}/page`, (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(`${stack.url}/page`)
    return { page, replies }
  }

  /** Whether an element shows red or blue in its middle, at a part `down` of its height. */
  const colourOf = (page: Page, element: string, down = 0.5) =>
    page.evaluate<string>(`(() => {
      const context = Object.assign(document.createElement('canvas'), { width: 10, height: 10 }).getContext('2d')
      context.drawImage(document.querySelector('${element}'), 0, 0, 10, 10)
      const [red, , blue] = context.getImageData(5, ${10 * down}, 1, 1).data
      return red > blue ? 'red' : 'blue'
    })()`)

  it('plays a video, also after seeking', async () => {
    const source = 'color=red:s=320x240:d=8,format=yuv420p[a];color=blue:s=320x240:d=4[b];[a][b]concat'
    const bytes = await clip('a.mkv', '-f', 'lavfi', '-i', source, '-vf', 'noise=alls=60:allf=t', ...h264, '-b:v', '8M')
    const { download } = await store(stack, '/video?wait=1', bytes)
    const { page, replies } = await show(`<video src="${download}" muted preload="metadata">`)
    const read = (what: string) => page.evaluate(`document.querySelector('video').${what}`)
    await expect.poll(() => read('readyState'), pollOptions).toBeGreaterThan(0)
    expect([await read('duration'), await read('videoWidth')]).toEqual([12, 320])
    await read('play()')
    await expect.poll(() => read('currentTime'), pollOptions).toBeGreaterThan(0.2)
    await read('pause()')
    expect(await colourOf(page, 'video')).toBe('red')
    await read(`currentTime = ${0.8 * 12}`)
    await expect.poll(() => read('seeking'), pollOptions).toBe(false)
    expect(await read('currentTime')).toBeCloseTo(9.6, 1)
    await expect.poll(() => colourOf(page, 'video'), pollOptions).toBe('blue')
    expect(replies.map((reply) => reply.status())).not.toHaveLength(0)
    for (const reply of replies) {
      expect(reply.status()).toBe(206)
      expect(await reply.headerValue('content-type')).toBe('video/mp4')
    }
    await page.close()
  })

  it('shows an image as WebP, upright and in the given size', async () => {
    const halves = Buffer.alloc(80 * 40 * 3, Buffer.from([0, 0, 255]))
    for (let at = 0; at < halves.length; at += 3) if ((at / 3) % 80 < 40) halves.set([255, 0, 0], at)
    // The picture is red on the left. Turned clockwise, red is at the top.
    const bytes = await sharp(halves, { raw: { width: 80, height: 40, channels: 3 } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { digest, width, height } = await store(stack, '/image', Buffer.from(bytes), 'a.jpg')
    expect([width, height]).toEqual([40, 80])
    const { page, replies } = await show(`<img src="${stack.url}/media/image/${digest}?w=20">`)
    const sizes = () => page.evaluate('[document.images[0].naturalWidth, document.images[0].naturalHeight]')
    await expect.poll(sizes, pollOptions).toEqual([20, 40])
    expect([await colourOf(page, 'img', 0.1), await colourOf(page, 'img', 0.8)]).toEqual(['red', 'blue'])
    expect(await replies[0]!.headerValue('content-type')).toBe('image/webp')
    await page.close()
  })

  it('plays audio with the duration of the API', async () => {
    const bytes = await clip('a.mp3', '-f', 'lavfi', '-i', 'sine=duration=5', '-b:a', '64k')
    const { download, duration } = await store(stack, '/audio', bytes)
    const { page } = await show(`<audio src="${download}" preload="metadata">`)
    const length = () => page.evaluate(`document.querySelector('audio').duration`)
    await expect.poll(length, pollOptions).toBeCloseTo(Number(duration), 0)
    await page.close()
  })
})
