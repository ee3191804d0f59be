// Tests how a transcoding job receives its source: in chunks, resumed after a break, and at wrong offsets.
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { clip, hasNative, makeStream } from './clips.ts'
import { ask, beginJob, download, eventually, type Server, transcode, untilEnded, useServer } from './server.ts'

const server = useServer({ MAX_JOBS: '50' })

const put = (id: string, offset: number, bytes: Buffer) =>
  ask(server, 'PUT', `/jobs/${id}/source?offset=${offset}`, new Uint8Array(bytes))

const jobOf = async (id: string) => (await ask(server, 'GET', `/jobs/${id}`)).job

describe.each([true, false])('a source that is streamable: %s', (is_streamable) => {
  it('is received in chunks', async () => {
    const id = await beginJob(server, clip.length, { is_streamable })
    for (let at = 0; at < clip.length; at += 5000) {
      const { http, job } = await put(id, at, clip.subarray(at, at + 5000))
      expect({ http, offset: job.offset }).toEqual({ http: 200, offset: Math.min(at + 5000, clip.length) })
    }
    expect(await untilEnded(server, id)).toMatchObject({ state: 'ready', offset: clip.length })
  })

  it('resumes at the offset where it broke off', async () => {
    const id = await beginJob(server, clip.length, { is_streamable })
    await cutOff(server, id, clip.subarray(0, 7000))
    await eventually(async () => {
      const { http, job } = await put(id, 7000, clip.subarray(7000))
      expect({ http, offset: job.offset }).toEqual({ http: 200, offset: clip.length })
    })
    expect(await untilEnded(server, id)).toMatchObject({ state: 'ready' })
  })

  it('is rejected at a wrong offset, with the right one', async () => {
    const id = await beginJob(server, clip.length, { is_streamable })
    await put(id, 0, clip.subarray(0, 3000))
    for (const offset of [0, 2999, 3001])
      expect(await put(id, offset, clip.subarray(offset))).toMatchObject({
        http: 409,
        status: false,
        job: { id, offset: 3000 },
      })
  })

  it('is rejected past its declared size', async () => {
    const id = await beginJob(server, 100, { is_streamable })
    expect(await put(id, 0, clip)).toMatchObject({ http: 400, status_code: 'validation_failed' })
    expect(await jobOf(id)).toMatchObject({ state: 'receiving', offset: 0 })
    await ask(server, 'DELETE', `/jobs/${id}`)
  })

  it('is received from a new request while an earlier one hangs', async () => {
    const id = await beginJob(server, clip.length, { is_streamable })
    const first = await cutOff(server, id, clip.subarray(0, 3000), 'stay')
    const closed = new Promise((resolve) => first.once('close', resolve))
    expect(await put(id, 0, clip)).toMatchObject({ http: 409, job: { offset: 3000 } })
    expect(await put(id, 3000, clip.subarray(3000))).toMatchObject({ http: 200, job: { offset: clip.length } })
    await closed
    expect(await untilEnded(server, id)).toMatchObject({ state: 'ready' })
  })

  it('ends with its job', async () => {
    const id = await beginJob(server, clip.length, { is_streamable })
    await put(id, 0, clip.subarray(0, 3000))
    expect(await ask(server, 'DELETE', `/jobs/${id}`)).toMatchObject({ http: 200, status: true })
    expect(await ask(server, 'GET', `/jobs/${id}`)).toMatchObject({ http: 404, status_code: 'job_not_found' })
    expect(await ask(server, 'DELETE', `/jobs/${id}`)).toMatchObject({ http: 404 })
    expect(await put(id, 3000, clip.subarray(3000))).toMatchObject({ http: 404 })
  })
})

/** Announces more bytes than it sends. Then breaks the connection when these have arrived, or keeps it open. */
function cutOff({ url }: Server, id: string, bytes: Buffer, then: 'go' | 'stay' = 'go') {
  const sending = request(`${url}/jobs/${id}/source?offset=0`, { method: 'PUT' })
  sending.on('error', () => {})
  sending.write(bytes)
  return eventually(async () => {
    expect((await jobOf(id)).offset).toBe(bytes.length)
    if (then === 'go') sending.destroy()
    return sending
  })
}

it('returns an existing job unchanged', async () => {
  const { id } = await transcode(server, clip, { may_copy: true })
  const again = await ask(server, 'PUT', `/jobs/${id}`, {
    size: 5,
    is_streamable: true,
    may_copy: true,
    max_dimension: 9,
  })
  expect(again).toMatchObject({ http: 200, job: { id, state: 'ready', offset: clip.length } })
})

it('creates a job again after its removal', async () => {
  const { id } = await transcode(server, Buffer.from('hello'))
  await ask(server, 'DELETE', `/jobs/${id}`)
  const body = { size: clip.length, is_streamable: false, may_copy: true, max_dimension: 1280 }
  expect(await ask(server, 'PUT', `/jobs/${id}`, body)).toMatchObject({ job: { state: 'receiving', offset: 0 } })
  await put(id, 0, clip)
  expect(await untilEnded(server, id)).toMatchObject({ state: 'ready' })
})

it('serves ranges of the result', async () => {
  const { id } = await transcode(server, clip, { may_copy: true })
  const whole = await download(server, 'GET', `/jobs/${id}/result`)
  const part = async (range: string, method = 'GET') => {
    const response = await fetch(`${server.url}/jobs/${id}/result`, { method, headers: { range } })
    const { status, headers } = response
    return { status, range: headers.get('content-range'), bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const size = whole.length
  expect(await part('bytes=10-19')).toEqual({
    status: 206,
    range: `bytes 10-19/${size}`,
    bytes: whole.subarray(10, 20),
  })
  expect(await part('bytes=-5')).toEqual({
    status: 206,
    range: `bytes ${size - 5}-${size - 1}/${size}`,
    bytes: whole.subarray(-5),
  })
  expect((await part(`bytes=${size - 3}-${size + 100}`)).bytes).toEqual(whole.subarray(-3))
  expect(await part(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` })
  expect(await part('bytes=10-19', 'HEAD')).toMatchObject({ status: 206, bytes: Buffer.alloc(0) })
})

it.each(['eu.0_-Az', '...', 'x'.repeat(100)])('accepts %s as an id', async (id) => {
  const before = server.files()
  const body = { size: 5, is_streamable: false, may_copy: false, max_dimension: 100 }
  expect(await ask(server, 'PUT', `/jobs/${id}`, body)).toMatchObject({ http: 200, job: { id, offset: 0 } })
  expect(await put(id, 0, Buffer.from('hello'))).toMatchObject({ http: 200, job: { id, offset: 5 } })
  expect(await ask(server, 'DELETE', `/jobs/${id}`)).toMatchObject({ http: 200 })
  expect(server.files()).toEqual(before)
})

it.each(['a%00', '..%2f..%2fetc', 'x'.repeat(101), 'a:b', '%C3%A4'])('rejects %s as an id', async (id) => {
  for (const [method, path] of [
    ['PUT', ''],
    ['GET', ''],
    ['PUT', '/source'],
    ['GET', '/result'],
  ] as const)
    expect(await ask(server, method, `/jobs/${id}${path}`)).toMatchObject({
      http: 400,
      status_code: 'validation_failed',
    })
})

it('has no result before it is ready', async () => {
  const id = await beginJob(server, 100)
  for (const name of ['result', 'preview'])
    expect(await ask(server, 'GET', `/jobs/${id}/${name}`)).toMatchObject({ http: 409, job: { state: 'receiving' } })
  await ask(server, 'DELETE', `/jobs/${id}`)
})

it('replies 404 for an unknown job', async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/result'],
    ['GET', '/preview'],
    ['PUT', '/source?offset=0'],
  ])
    expect(await ask(server, method!, `/jobs/unknown${path}`)).toMatchObject({
      http: 404,
      status_code: 'job_not_found',
    })
})

it.each([
  {},
  { size: -1 },
  { size: 1.5 },
  { size: '5' },
  { size: 5, is_streamable: 1 },
  { size: 5, is_streamable: true, may_copy: null },
  { size: 5, is_streamable: true, may_copy: true },
  { size: 5, is_streamable: true, may_copy: true, max_dimension: 1 },
  { size: 5, is_streamable: true, may_copy: true, max_dimension: 100, duration: -1 },
])('rejects %j as a job', async (body) => {
  expect(await ask(server, 'PUT', '/jobs/new', body)).toMatchObject({ http: 400, status_code: 'validation_failed' })
})

it.each(['{', '5', 'null', 'x'.repeat(20_000)])('rejects %s, which is not an object, as a job', async (body) => {
  expect((await ask(server, 'PUT', '/jobs/new', body)).http).toBe(body.length > 10_000 ? 413 : 400)
})

describe.runIf(hasNative)('progress', () => {
  it('grows with the transcoded part of a stream', async () => {
    const source = makeStream()
    const id = await beginJob(server, source.length, { is_streamable: true, duration: 12 })
    const part = Math.ceil(source.length / 400)
    // Sends first as much as ffmpeg reads before it begins, then small chunks: ffmpeg reports its progress only while
    // data arrives, four times a second.
    await put(id, 0, source.subarray(0, 200 * part))
    const { progress, offset } = await eventually(async () => {
      const { offset } = await jobOf(id)
      if (offset < 390 * part) await put(id, offset, source.subarray(offset, offset + part))
      const job = await jobOf(id)
      expect(job.progress).toBeGreaterThan(0)
      return job
    })
    expect(progress).toBeLessThan(offset / source.length + 0.1)
    await put(id, offset, source.subarray(offset))
    expect(await untilEnded(server, id)).toMatchObject({ state: 'ready', progress: 1 })
  })
})
