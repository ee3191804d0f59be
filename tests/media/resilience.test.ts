// Tests that failures of the database, R2 and the media container lose no item and leave no orphaned object.
import { describe, expect, it } from 'vitest'
import { newDigest } from '#media/digest'
import { resumeVideo } from '#media/ingest'
import { addItem, endProcessing, findItem, type NewItem, restartProcessing, seekItem } from '#media/items'
import { fileKey, videoKey } from '#media/r2-keys'
import { advance, cancelRun } from '#media/transcoding'
import { fixture } from '../support/media/clips.ts'
import { bound, mediaOn, nothing, otherwise } from './support.ts'

const video = (digest: string): NewItem => ({
  ...{ digest, kind: 'video', name: 'film', extension: 'mp4', mimetype: 'video/mp4', size: 9, width: 64, height: 48 },
  ...{ duration: 1, orientation: null, max_dimension: null, charset: null, state: 'processing', failure: null },
})

describe('a failure between the database and R2', () => {
  it('leaves a video ready that becomes ready during the sweep', async () => {
    const { env, store } = mediaOn()
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    const seen = await addItem(store, video(digest))
    await env.FILES.put(videoKey(digest), 'mp4')
    await endProcessing(store, digest, { state: 'ready', size: 3 })

    await resumeVideo(env, seen)

    expect(await findItem(store, digest)).toMatchObject({ state: 'ready', failure: null })
  })

  it('leaves neither a row nor objects if the reply to the insert is lost', async () => {
    const real = bound.DB!
    let calls = 0
    const batch = async (statements: D1PreparedStatement[]) => {
      const done = await real.batch(statements)
      if (calls++ === 0) throw new Error('Network connection lost.')
      return done
    }
    const media = mediaOn({ DB: otherwise(real, { batch: batch as D1Database['batch'] }) })

    expect((await media.upload('file', 'hello')).status).toBe(500)
    expect(await media.left()).toEqual(nothing)
  })

  it('still returns the digest of a stored video if its progress cannot be read', async () => {
    const lost = () => Promise.reject(new Error('Network connection lost.'))
    const job = { start: async () => undefined, wait: lost, progress: lost }
    const { upload } = mediaOn({ VIDEO_JOB: { getByName: () => job } as never })
    const { status, json } = await upload('video?wait=true', await fixture('film.mov'), { filename: 'film.mov' })
    expect([status, json]).toMatchObject([200, { name: 'film', state: 'processing', progress: 0 }])
  })

  it('leaves no video if a limit in the configuration is invalid', async () => {
    const media = mediaOn({ UPLOAD_VIDEO_MAX_DIMENSION: 'big' })
    const { status } = await media.upload('video', await fixture('film.mov'), { filename: 'film.mov' })
    expect(status).toBe(503)
    expect(await media.left()).toEqual(nothing)
  })

  it('leaves no job in the container if the video is deleted while its job starts', async () => {
    const jobs = new Set<string>()
    let isWanted = true
    const job = { state: 'receiving', offset: 0, progress: 0 }
    const answer = async (url: string, { method = 'GET' }: RequestInit = {}) => {
      const id = url.split('/').at(-1)!
      // Simulates a deletion of the video during the request PUT: the DELETE reaches the container before the job exists there.
      if (method === 'PUT') isWanted = await cancelRun(env, work).then(() => false)
      if (method === 'PUT') jobs.add(id)
      const isKnown = method === 'DELETE' ? jobs.delete(id) : jobs.has(id)
      return Response.json({ status: isKnown, job }, { status: isKnown ? 200 : 404 })
    }
    const { env, store } = mediaOn({ MEDIA_CONTAINER: { fetch: answer } as never, MEDIA_CONTAINER_URL: '' })
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    await env.FILES.put(fileKey(digest), 'x')
    await addItem(store, video(digest))
    const sizes = { size: 1, is_streamable: false, may_copy: false, max_dimension: 1280 }
    const work = { digest, ...sizes, started: 0, attempts: 0, progress: 0, isRunning: false }

    await advance(env, work, () => isWanted)

    expect([...jobs]).toEqual([])
  })

  it.each([
    ['fails', true],
    ['is no more, where its item is gone,', false],
  ])('a job whose source is lost %s', async (_, hasItem) => {
    const ended: string[] = []
    const job = { state: 'receiving', offset: 0, progress: 0 }
    const answer = async (url: string, { method = 'GET' }: RequestInit = {}) => {
      if (method === 'DELETE') ended.push(url)
      return Response.json({ status: true, job })
    }
    const { env, store } = mediaOn({ MEDIA_CONTAINER: { fetch: answer } as never, MEDIA_CONTAINER_URL: '' })
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    if (hasItem) await addItem(store, video(digest))
    const sizes = { size: 1, is_streamable: false, may_copy: false, max_dimension: 1280 }

    const step = await advance(env, { digest, ...sizes, started: 0, attempts: 0, progress: 0, isRunning: false }, () => true) // biome-ignore format: one line

    expect([step, ended.length]).toEqual(['ended', 1])
    expect((await seekItem(store, digest))?.state).toBe(hasItem ? 'failed' : undefined)
  })
})

describe('a retry of a video', () => {
  const failed = async (media: ReturnType<typeof mediaOn>, source?: Uint8Array | string) => {
    const digest = newDigest(media.env.UPLOAD_DIGEST_PREFIX)
    if (source) await media.env.FILES.put(fileKey(digest), source)
    const size = source?.length ?? 9
    await addItem(media.store, { ...video(digest), size, state: 'failed', failure: 'killed' })
    return digest
  }
  const recorded = () => {
    const calls: string[] = []
    const note = (call: string) => async () => void calls.push(call)
    const job = { cancel: note('cancel'), resume: async () => false, start: note('start'), progress: async () => 0 }
    return { calls, media: mediaOn({ VIDEO_JOB: { getByName: () => job } as never }) }
  }

  it('transcodes a failed video again from its source, once for two concurrent retries', async () => {
    const { calls, media } = recorded()
    const digest = await failed(media, await fixture('film.mov'))
    const replies = await Promise.all([1, 2].map(() => media.ask('POST', `/video/${digest}/retry`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 200)?.json).toMatchObject({ state: 'processing', failure: null })
    expect(calls).toEqual(['cancel', 'start'])
  })

  it('is rejected if the source was deleted, and leaves the video failed', async () => {
    const { calls, media } = recorded()
    const digest = await failed(media)
    expect(await media.ask('POST', `/video/${digest}/retry`)).toMatchObject({
      status: 409,
      json: { status_code: 'source_deleted' },
    })
    expect(await findItem(media.store, digest)).toMatchObject({ state: 'failed', failure: 'killed' })
    expect(calls).toEqual([])
  })

  it('is rejected for a video that has not failed, and for another kind of item', async () => {
    const { media } = recorded()
    const digest = newDigest(media.env.UPLOAD_DIGEST_PREFIX)
    await addItem(media.store, video(digest))
    expect(await media.ask('POST', `/video/${digest}/retry`)).toMatchObject({
      status: 409,
      json: { status_code: 'video_not_failed' },
    })
    const file = await media.upload('file', 'hello')
    expect(await media.ask('POST', `/video/${file.json.digest}/retry`)).toMatchObject({ status: 404 })
  })

  it('fails again if the source is not a video', async () => {
    const { media } = recorded()
    const digest = await failed(media, 'text')
    expect(await media.ask('POST', `/video/${digest}/retry`)).toMatchObject({
      status: 200,
      json: { state: 'failed', failure: 'unreadable' },
    })
  })
})

it.each(['too_long', 'too_large', 'unreadable'] as const)(
  'keeps the source of a video that failed as %s',
  async (failure) => {
    const answer = async () =>
      Response.json({ status: true, job: { state: 'failed', offset: 0, progress: 0, failure } })
    const { env, store } = mediaOn({ MEDIA_CONTAINER: { fetch: answer } as never, MEDIA_CONTAINER_URL: '' })
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    await env.FILES.put(fileKey(digest), 'x')
    await addItem(store, video(digest))
    const sizes = { size: 1, is_streamable: false, may_copy: false, max_dimension: 1280 }

    const step = await advance(env, { digest, ...sizes, started: 0, attempts: 0, progress: 0, isRunning: false }, () => true) // biome-ignore format: one line

    expect([step, await (await env.FILES.get(fileKey(digest)))?.text()]).toEqual(['ended', 'x'])
  },
)

it('keeps the source of a failed video that is retried before its job has ended', async () => {
  const answer = async (_: string, { method = 'GET' }: RequestInit = {}) => {
    // The job reads the row for the last time after this DELETE. The row must still be `failed` then, so the retry comes just
    // before that read.
    if (method === 'DELETE') return Response.json({ status: true })
    return Response.json({ status: true, job: { state: 'failed', offset: 0, progress: 0, failure: 'too_long' } })
  }
  const media = mediaOn({ MEDIA_CONTAINER: { fetch: answer } as never, MEDIA_CONTAINER_URL: '' })
  const digest = newDigest(media.env.UPLOAD_DIGEST_PREFIX)
  await media.env.FILES.put(fileKey(digest), 'x')
  await addItem(media.store, video(digest))
  const retried = otherwise(bound.DB!, {
    prepare: (sql) => {
      const statement = bound.DB!.prepare(sql)
      if (!/^select/i.test(sql)) return statement
      return otherwise(statement, {
        bind: ((...values: unknown[]) =>
          otherwise(statement.bind(...values), {
            raw: (async () => {
              await restartProcessing(media.store, digest)
              return statement.bind(...values).raw()
            }) as never,
          })) as never,
      })
    },
  })
  const sizes = { size: 1, is_streamable: false, may_copy: false, max_dimension: 1280 }
  const work = { digest, ...sizes, started: 0, attempts: 0, progress: 0, isRunning: false }

  const step = await advance({ ...media.env, DB: retried }, work, () => true)

  expect([step, (await seekItem(media.store, digest))?.state]).toEqual(['ended', 'processing'])
  expect(await (await media.env.FILES.get(fileKey(digest)))?.text()).toBe('x')
})

describe('a transcoding run that a retry has replaced', () => {
  const sizes = { size: 1, is_streamable: false, may_copy: false, max_dimension: 1280 }
  const result = { size: 3, width: 4, height: 2, duration: 1 }

  it.each([
    ['fails', { state: 'failed', failure: 'killed' }],
    ['is ready', { state: 'ready', result }],
  ])('changes neither the row nor the job of the new run if it %s', async (_, job) => {
    const methods: string[] = []
    const answer = async (_: string, { method = 'GET' }: RequestInit = {}) => {
      methods.push(method)
      return Response.json({ status: true, job: { offset: 1, progress: 1, ...job } })
    }
    const { env, store } = mediaOn({ MEDIA_CONTAINER: { fetch: answer } as never, MEDIA_CONTAINER_URL: '' })
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    await env.FILES.put(fileKey(digest), 'x')
    await env.FILES.put(videoKey(digest), 'mp4')
    await addItem(store, { ...video(digest), state: 'failed', failure: 'killed' })
    await restartProcessing(store, digest)
    const work = { digest, run: 1, ...sizes, started: 0, attempts: 3, progress: 0, isRunning: false }

    const step = await advance(env, work, () => false)

    expect([step, await seekItem(store, digest)]).toMatchObject(['ended', { state: 'processing', failure: null }])
    expect(await env.FILES.head(fileKey(digest))).not.toBeNull()
    expect(methods).not.toContain('DELETE')
  })

  it('is replaced in its durable object, and cannot be continued', async () => {
    const { env } = mediaOn()
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    const job = env.VIDEO_JOB.getByName(digest)
    await job.start(digest, sizes, 1)
    expect(await job.resume(2)).toBe(false)
    await job.start(digest, sizes, 2)
    expect([await job.resume(1), await job.resume(2)]).toEqual([false, true])
    await job.cancel()
    expect(await job.resume(2)).toBe(false)
  })
})

describe('the configuration', () => {
  it.each(['a/', 'é', 'a'.repeat(81), ' '])('refuses digests that begin with %j', async (UPLOAD_DIGEST_PREFIX) => {
    expect(await mediaOn({ UPLOAD_DIGEST_PREFIX }).upload('file', 'x')).toMatchObject({
      status: 503,
      json: { status_code: 'not_configured', message: expect.stringContaining('UPLOAD_DIGEST_PREFIX') },
    })
  })

  it('rejects videos if there is no container', async () => {
    const media = mediaOn({ MEDIA_CONTAINER: undefined as never })
    const { status, json } = await media.upload('video', await fixture('film.mov'), { filename: 'film.mov' })
    expect([status, json.status_code]).toEqual([503, 'not_configured'])
    expect(await media.left()).toEqual(nothing)
  })
})
