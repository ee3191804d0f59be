// Tests videos in a real stack with ffmpeg: transcoding, previews, downloads of ranges, and deletion.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { has } from '../../../scripts/lib/programs.ts'
import { type Behind, startBehind } from './behind.ts'
import { bucketOf } from './bucket.ts'
import { clip, film, h264, packetsOf, picture, probe } from './clips.ts'
import { ask, bytesOf, pollOptions, store, untilState, upload, videoInfo } from './service.ts'

let behind: Behind

const urlOf = (digest: string, rest = '') => `${behind.stack.url}/media/video/${digest}${rest}`
const storeVideo = (bytes: Buffer<ArrayBuffer>) => store(behind.stack, '/video', bytes, 'My clip.mov')

/** Moves the deletions into the past, so that they are due, and runs the sweep that removes the files. */
async function sweep() {
  const database = await behind.stack.database('media')
  await database.prepare('UPDATE media_traces SET due_at = 0').run()
  await behind.stack.sweep()
}

beforeAll(async () => {
  behind = await startBehind()
})

afterAll(() => behind.dispose())

describe.skipIf(!has('ffmpeg'))('a video', () => {
  beforeAll(() => behind.begin())
  afterAll(() => behind.end())

  it('is an mp4 when the reply waits for transcoding', async () => {
    const bytes = await clip('a.avi', ...film(3, '322x242'), '-c:v', 'mpeg4', '-c:a', 'mp3')
    const { status, json } = await upload(behind.stack, '/video?wait=1', bytes, 'My clip.avi')
    expect(status).toBe(200)
    const { digest, size, width, height } = json
    expect(json).toMatchObject({
      name: 'My clip',
      extension: 'mp4',
      mimetype: 'video/mp4',
      state: 'ready',
      progress: 1,
    })
    expect([width, height]).toEqual([322, 242])
    expect(Number(json.duration)).toBeCloseTo(3, 0)
    const mp4 = await bytesOf(urlOf(digest))
    expect(mp4).toHaveLength(size)
    expect(await probe(mp4)).toMatchObject({ codecs: ['h264', 'aac'], width, height, frames: 75 })
    expect(bucketOf(behind.stack, digest)).toEqual({ keys: [`${digest}/preview`, `${digest}/video`], uploads: [] })
    expect(await behind.jobStatus(digest)).toBe(404)
  })

  it('reports `processing` until it is ready', async () => {
    const bytes = await clip('a.webm', ...film(4, '640x360'), '-c:v', 'libvpx', '-b:v', '1M')
    const { reached, release } = behind.passage.stop('PUT', /\/source/, 1000)
    const { digest, state } = await storeVideo(bytes)
    expect(state).toBe('processing')
    await reached
    for (const [path, method] of [
      ['', 'GET'],
      ['/preview', 'GET'],
      ['/preview', 'POST'],
    ] as const) {
      const { status, headers, json } = await ask(urlOf(digest, path), { method })
      expect([status, json.status_code]).toEqual([202, 'processing'])
      expect(headers.get('cache-control')).toBe('no-store')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await videoInfo(behind.stack, digest)).toMatchObject({ state: 'processing', width: 640, height: 360 })
    release()
    const seen: number[] = []
    const stateNow = async () => {
      const { state, progress } = await videoInfo(behind.stack, digest)
      seen.push(progress)
      return state
    }
    await expect.poll(stateNow, pollOptions).toBe('ready')
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(1)
    expect(await probe(await bytesOf(urlOf(digest)))).toMatchObject({ width: 640, height: 360, frames: 100 })
  })

  it.each(['a.mp4', 'a.mov', 'a.mkv'])('is remuxed without transcoding if possible: %s', async (name) => {
    const bytes = await clip(name, ...film(2), ...h264)
    const { digest } = await storeVideo(bytes)
    await untilState(behind.stack, digest)
    const mp4 = await bytesOf(urlOf(digest))
    expect(await packetsOf(mp4)).toEqual(await packetsOf(bytes))
    // The index (`moov`) comes before the media data, so that a player can start while the file arrives.
    const [moov, mdat] = ['moov', 'mdat'].map((box) => Buffer.from(mp4).indexOf(box))
    expect(moov).toBeLessThan(mdat!)
  })

  it('is served by range', async () => {
    const { digest } = await storeVideo(await clip('a.mp4', ...film(2), ...h264))
    const { size } = await untilState(behind.stack, digest)
    const all = await bytesOf(urlOf(digest))
    const ranges = { 'bytes=0-99': [0, 99], [`bytes=${size - 10}-`]: [size - 10, size - 1], 'bytes=-7': [size - 7, size - 1] } // biome-ignore format: one line
    for (const [range, [start, end]] of Object.entries(ranges)) {
      const reply = await fetch(urlOf(digest), { headers: { range } })
      expect(reply.status).toBe(206)
      expect(reply.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
      expect(new Uint8Array(await reply.arrayBuffer())).toEqual(all.subarray(start, end! + 1))
    }
    const beyond = await fetch(urlOf(digest), { headers: { range: `bytes=${size}-` } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
  })

  it.each([
    ['has lost its index', (bytes: Buffer<ArrayBuffer>) => bytes.subarray(0, bytes.length / 2)],
    [
      'is noise behind a header',
      (bytes: Buffer<ArrayBuffer>) => Buffer.concat([bytes.subarray(0, 48), Buffer.alloc(5e4, '?!')]),
    ],
  ])('has failed when it %s', async (_, broken) => {
    const { digest } = await storeVideo(broken(await clip('a.mp4', ...film(2), ...h264)))
    expect(await untilState(behind.stack, digest, 'failed')).toMatchObject({ progress: 0 })
    for (const path of ['', '/preview']) {
      const { status, json } = await ask(urlOf(digest, path))
      expect([status, json.status_code]).toEqual([422, 'media_failed'])
    }
    await expect.poll(() => behind.jobStatus(digest), pollOptions).toBe(404)
  })

  it('is rejected if it is text', async () => {
    const before = bucketOf(behind.stack)
    const { status } = await upload(behind.stack, '/video', Buffer.from('a,b\n'.repeat(1000)), 'a.mp4')
    expect(status).toBe(415)
    expect(bucketOf(behind.stack)).toEqual(before)
  })

  describe('as an image', () => {
    let digest: string

    beforeAll(async () => {
      const args = ['-f', 'lavfi', '-i', "color=red:s=320x240:d=2,format=yuv420p[a];color=blue:s=320x240:d=2[b];[a][b]concat"] // biome-ignore format: one line
      digest = (await store(behind.stack, '/video?wait=1', await clip('a.mp4', ...args, ...h264))).digest
    })

    const preview = async (query: string, method = 'GET') => {
      const bytes = await bytesOf(urlOf(digest, `/preview${query}`), { method })
      const { format, width, height } = await sharp(bytes).metadata()
      const { channels } = await sharp(bytes).stats()
      const [red, , blue] = channels.map(({ mean }) => mean)
      return { format, width, height, colour: red! > blue! ? 'red' : 'blue' }
    }

    it.each(['GET', 'POST'])('is a JPEG of any size by %s', async (method) => {
      const whole = { format: 'jpeg', width: 320, height: 240, colour: 'red' }
      expect(await preview('', method)).toEqual(whole)
      expect(await preview('?w=160', method)).toEqual({ ...whole, width: 160, height: 120 })
      expect(await preview('?w=100&h=100&m=c', method)).toEqual({ ...whole, width: 100, height: 100 })
      expect(await preview('?w=5000', method)).toEqual(whole)
    })

    it('is the frame at the given second, and 400 outside of the video', async () => {
      expect(await preview('?t=0.5')).toMatchObject({ colour: 'red' })
      expect(await preview('?t=3.5&w=100')).toMatchObject({ colour: 'blue', width: 100 })
      expect((await ask(urlOf(digest, '/preview?t=4.5'))).status).toBe(400)
      expect((await ask(urlOf(digest, '/preview?t=-1'))).status).toBe(400)
    })

    it('is the same for thirty concurrent requests', async () => {
      const requests = Array.from({ length: 30 }, () => bytesOf(urlOf(digest, '/preview?t=1.5&w=222')))
      const [first, ...others] = await Promise.all(requests)
      for (const other of others) expect(other).toEqual(first)
    })
  })

  it('leaves nothing when it is deleted during the transfer to the container', async () => {
    const { reached, release } = behind.passage.stop('PUT', /\/source/, 1000)
    const { digest } = await storeVideo(await clip('a.avi', ...film(2), '-c:v', 'mpeg4'))
    await reached
    await expectGone(digest, release)
  })

  it('leaves nothing when it is deleted during the transfer of its mp4', async () => {
    const { reached, release } = behind.passage.stop('GET', /\/result bytes=5242880-/, 1_000_000)
    const { digest } = await storeVideo(await clip('a.mkv', ...picture(3, '640x480'), '-vf', 'noise=alls=90:allf=t', ...h264, '-b:v', '40M', '-g', '25')) // biome-ignore format: one line
    await reached
    await expectGone(digest, release)
  })

  async function expectGone(digest: string, release: () => void) {
    const { status } = await ask(urlOf(digest), { method: 'DELETE' })
    expect(status).toBe(200)
    expect((await ask(urlOf(digest))).status).toBe(404)
    release()
    await expect.poll(() => behind.jobStatus(digest), pollOptions).toBe(404)
    await expect
      .poll(async () => {
        await sweep()
        return bucketOf(behind.stack, digest)
      }, pollOptions)
      .toEqual({ keys: [], uploads: [] })
  }
})

describe('a video with the WebAssembly build of ffmpeg', () => {
  beforeAll(() => behind.begin({ FFMPEG: 'wasm' }))
  afterAll(() => behind.end())

  it('is an mp4 when it is ready', async () => {
    const bytes = await readFile('tests/support/media/fixtures/film.webm')
    const { digest } = await storeVideo(Buffer.from(bytes))
    const { width, height } = await untilState(behind.stack, digest)
    expect([width, height]).toEqual([64, 48])
    expect(Buffer.from(await bytesOf(urlOf(digest))).indexOf('avc1')).toBeGreaterThan(0)
    const { format } = await sharp(await bytesOf(urlOf(digest, '/preview'))).metadata()
    expect(format).toBe('jpeg')
  })
})
