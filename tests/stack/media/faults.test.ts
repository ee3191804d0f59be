// Tests that a video becomes ready although ffmpeg, the container or the runtime is killed, or the container has no
// disk space.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { has, pathOf } from '../../../scripts/lib/programs.ts'
import { type Behind, startBehind } from './behind.ts'
import { bucketOf } from './bucket.ts'
import { clip, film, h264, packetsOf, picture, probe } from './clips.ts'
import { ask, bytesOf, heldEncoderOf, killRuntime, pollOptions, store, untilState, upload } from './service.ts'

let behind: Behind
/** A video that is copied without encoding. It is large enough to be transferred in several parts in each direction. */
let large: Buffer<ArrayBuffer>
/** A video that must be encoded. */
let small: Buffer<ArrayBuffer>

beforeAll(async () => {
  behind = await startBehind()
})

afterEach(() => behind.end())
afterAll(() => behind.dispose())

const storeVideo = async (bytes: Buffer<ArrayBuffer>) => (await store(behind.stack, '/video', bytes)).digest

/**
 * Waits until a video is ready, returns its mp4, and checks that nothing else is left of it in R2 or in the container.
 */
async function whole(digest: string): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await untilState(behind.stack, digest)
  const mp4 = await bytesOf(`${behind.stack.url}/media/video/${digest}`)
  expect(mp4).toHaveLength(size)
  const left = () => bucketOf(behind.stack, digest)
  await expect.poll(left, pollOptions).toEqual({ keys: [`${digest}/preview`, `${digest}/video`], uploads: [] })
  await expect.poll(() => behind.jobStatus(digest), pollOptions).toBe(404)
  return mp4
}

const expectSmall = async (digest: string) =>
  expect(await probe(await whole(digest))).toMatchObject({
    codecs: ['h264', 'aac'],
    width: 320,
    height: 240,
    frames: 100,
  })

const expectLarge = async (digest: string) =>
  expect(await packetsOf(await whole(digest))).toEqual(await packetsOf(large))

/**
 * Starts the container with an ffmpeg that stops at its first video, so that the test can kill a process at that
 * moment.
 */
const beginHeld = () => behind.begin({ FFMPEG: holdingFfmpeg(behind.stack.stateDir) })

/** Waits for the stopped ffmpeg, and returns its process id. */
async function heldEncoder(): Promise<number> {
  await expect.poll(() => heldEncoderOf(behind.pid()), pollOptions).toBeDefined()
  return heldEncoderOf(behind.pid())!
}

const health = () => ask(`${behind.stack.url}/media/_health`)

describe('media without its container', () => {
  it('reports it, and serves all calls that do not need it', async () => {
    const before = bucketOf(behind.stack)
    const dependencies = { container: { state: 'down' }, database: { state: 'up' }, storage: { state: 'up' } }
    expect(await health()).toMatchObject({ status: 503, json: { content: { state: 'down', dependencies } } })
    const flat = { channels: 3 as const, background: '#456' }
    const huge = await sharp({ create: { width: 9000, height: 6000, ...flat } })
      .jpeg()
      .toBuffer()
    const refused = await upload(behind.stack, '/image', Buffer.from(huge))
    expect([refused.status, refused.json.status_code]).toEqual([503, 'unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(bucketOf(behind.stack)).toEqual(before)
    const modest = await sharp({ create: { width: 300, height: 200, ...flat } })
      .jpeg()
      .toBuffer()
    const { digest } = await store(behind.stack, '/image', Buffer.from(modest))
    expect((await fetch(`${behind.stack.url}/media/image/${digest}?w=30`)).status).toBe(200)
  })
})

describe.skipIf(!has('ffmpeg'))('a video becomes ready', () => {
  beforeAll(async () => {
    const noisy = ['-vf', 'noise=alls=90:allf=t', '-b:v', '40M', '-maxrate', '50M', '-bufsize', '20M']
    large = await clip('a.mp4', ...picture(4, '640x480'), ...h264, ...noisy)
    small = await clip('a.mp4', ...film(4), '-c:v', 'mpeg4', '-c:a', 'mp3')
    expect(large.length).toBeGreaterThan(18_000_000)
  })

  it('when the container starts later', async () => {
    const digest = await storeVideo(small)
    expect(bucketOf(behind.stack, digest)).toEqual({ keys: [`${digest}/file`], uploads: [] })
    expect(await ask(`${behind.stack.url}/media/video/${digest}`)).toMatchObject({ status: 202 })
    await behind.begin()
    await expectSmall(digest)
    await expect.poll(async () => (await health()).status, pollOptions).toBe(200)
  })

  it('when the container has disk space again', async () => {
    await behind.begin({ MAX_DISK: String(10 * small.length) })
    const other = { size: 10 * small.length - 1, is_streamable: false, may_copy: false, max_dimension: 100 }
    expect(await behind.jobStatus('other', 'PUT', other)).toBe(200)
    const refusal = behind.passage.stop('PUT', /^\/jobs\/\w+ $/)
    const digest = await storeVideo(small)
    await refusal.reached
    refusal.release()
    const again = behind.passage.stop('PUT', /^\/jobs\/\w+ $/)
    await again.reached
    expect(bucketOf(behind.stack, digest)).toEqual({ keys: [`${digest}/file`], uploads: [] })
    await behind.jobStatus('other', 'DELETE')
    again.release()
    await expectSmall(digest)
  })

  it('unless it needs more disk space than the container can have', async () => {
    await behind.begin({ MAX_DISK: String(small.length - 1) })
    const digest = await storeVideo(small)
    await untilState(behind.stack, digest, 'failed')
    expect(await ask(`${behind.stack.url}/media/video/${digest}/info`)).toMatchObject({
      json: { failure: 'too_large' },
    })
    expect(await ask(`${behind.stack.url}/media/video/${digest}`)).toMatchObject({ status: 422 })
    await expect.poll(() => behind.jobStatus(digest), pollOptions).toBe(404)
    expect(bucketOf(behind.stack, digest)).toEqual({ keys: [`${digest}/file`], uploads: [] })

    await behind.begin()
    const retry = () => ask(`${behind.stack.url}/media/video/${digest}/retry`, { method: 'POST' })
    expect(await retry()).toMatchObject({ status: 200, json: { digest, state: 'processing', failure: null } })
    await expectSmall(digest)
    expect(await retry()).toMatchObject({ status: 409, json: { status_code: 'video_not_failed' } })
  })

  it('after its ffmpeg was killed', async () => {
    await beginHeld()
    const digest = await storeVideo(small)
    process.kill(await heldEncoder(), 'SIGKILL')
    await expectSmall(digest)
  })

  it('after the container was killed while transcoding', async () => {
    await beginHeld()
    const digest = await storeVideo(small)
    await heldEncoder()
    process.kill(behind.pid(), 'SIGKILL')
    await expectSmall(digest)
  })

  it('after the runtime was killed during the transfer to the container', async () => {
    await behind.begin()
    const { reached, release } = behind.passage.stop('PUT', /\/source/, 5_000_000)
    const digest = await storeVideo(large)
    await reached
    await killRuntime(behind.stack)
    release()
    await expectLarge(digest)
  })

  it('after the runtime was killed during transcoding', async () => {
    await beginHeld()
    const digest = await storeVideo(small)
    const encoder = await heldEncoder()
    await killRuntime(behind.stack)
    process.kill(encoder, 'SIGCONT')
    await expectSmall(digest)
  })

  it('after the runtime was killed during the transfer of the mp4', async () => {
    await behind.begin()
    const { reached, release } = behind.passage.stop('GET', /\/result bytes=5242880-/, 1_000_000)
    const digest = await storeVideo(large)
    await reached
    await killRuntime(behind.stack)
    release()
    await expectLarge(digest)
  })

  it('after runtime and container were killed at once', async () => {
    await beginHeld()
    const digest = await storeVideo(small)
    await heldEncoder()
    process.kill(behind.pid(), 'SIGKILL')
    await killRuntime(behind.stack)
    await expectSmall(digest)
  })

  it('with consistent bytes, after the container was killed during the transfer and made another mp4', async () => {
    await behind.begin()
    const { reached, release } = behind.passage.stop('GET', /\/result bytes=5242880-/, 1_000_000)
    const digest = await storeVideo(large)
    await reached
    await behind.end()
    release()
    await behind.begin({ FFMPEG: otherFfmpeg(behind.stack.stateDir) })
    expect(bucketOf(behind.stack, digest).uploads).toHaveLength(1)
    await expectLarge(digest)
    expect(Buffer.from(await bytesOf(`${behind.stack.url}/media/video/${digest}`)).includes('the other one')).toBe(true)
  })
})

/** Writes a script in place of ffmpeg that stops itself once, when it is to transcode a video. */
function holdingFfmpeg(folder: string): string {
  const mark = join(folder, 'hold')
  writeFileSync(mark, '')
  return ffmpegOf(join(folder, 'holding'), [
    'case " $* " in',
    `  *" -progress "*) rm "${mark}" 2>/dev/null && kill -STOP $$ ;;`,
    'esac',
  ])
}

/** Writes a script in place of ffmpeg whose videos have other bytes, so that a mixture of two runs would be noticed. */
const otherFfmpeg = (folder: string) =>
  ffmpegOf(join(folder, 'other'), [
    'left=$#',
    'for given; do',
    '  shift',
    '  [ "$left" = 1 ] && set -- "$@" -metadata "comment=the other one"',
    '  set -- "$@" "$given"',
    '  left=$((left - 1))',
    'done',
  ])

/** Writes a script that runs these shell lines before the installed ffmpeg, in its own folder. */
function ffmpegOf(folder: string, lines: string[]): string {
  const path = join(folder, 'ffmpeg')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  symlinkSync(pathOf('ffprobe')!, join(folder, 'ffprobe'))
  writeFileSync(path, ['#!/bin/sh', ...lines, `exec ${pathOf('ffmpeg')} "$@"`].join('\n'))
  chmodSync(path, 0o755)
  return path
}
