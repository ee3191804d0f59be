// Tests the sweep: deletion of objects without an item, and the restart of videos.
import { runInDurableObject } from 'cloudflare:test'
import { exports } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Env } from '#media/bindings'
import { newDigest } from '#media/digest'
import { addItem, findItem, type NewItem } from '#media/items'
import { addPendingUpload, recordMultipartUpload } from '#media/pending-uploads'
import { fileKey, renditionKey } from '#media/r2-keys'
import { partBytes } from '#media/stream-upload'
import { sweepPendingUploads, sweepVideos } from '#media/sweep'
import type { VideoJob } from '#media/video-job'
import { databases } from '../support/databases.ts'
import { fixture } from '../support/media/clips.ts'
import { bound, mediaOn, nothing } from './support.ts'

const ago = (ms: number) => new Date(Date.now() - ms)

describe.each(databases)('the sweep on $dialect', (database) => {
  const fresh = () => mediaOn({ DB: undefined as never, ...database })

  it('deletes the objects of unfinished uploads', async () => {
    const { env, store, left } = fresh()
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    const upload = await env.FILES.createMultipartUpload(fileKey(digest))
    await upload.uploadPart(1, new Uint8Array(partBytes))
    await addPendingUpload(store, digest, ago(1))
    await recordMultipartUpload(store, digest, upload.uploadId)
    await env.FILES.put(`${digest}/tail/3`, 'abc')
    expect(await left()).toMatchObject({ pendingUploads: [digest], uploads: [fileKey(digest)] })

    await sweepPendingUploads(env)

    expect(await left()).toEqual(nothing)
  })

  it('deletes completed objects without an item', async () => {
    const { env, store, left } = fresh()
    const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
    const upload = await env.FILES.createMultipartUpload(fileKey(digest))
    await addPendingUpload(store, digest, ago(1))
    await recordMultipartUpload(store, digest, upload.uploadId)
    await upload.complete([await upload.uploadPart(1, 'x')])
    for (let i = 0; i < 20; i++) await env.FILES.put(renditionKey(digest, `${i}`), 'x')

    await sweepPendingUploads(env)

    expect(await left()).toEqual(nothing)
  })

  it('deletes nothing that is not due, and no other digest with the same prefix', async () => {
    const { env, store, upload, left } = fresh()
    const { digest } = (await upload('file', 'hello')).json
    const other = newDigest(env.UPLOAD_DIGEST_PREFIX)
    await addPendingUpload(store, other)
    await env.FILES.put(fileKey(other), 'x')
    await addPendingUpload(store, digest.slice(0, -1), ago(1))
    const before = await left()

    await sweepPendingUploads(env)

    expect(await left()).toEqual({ ...before, pendingUploads: [other] })
  })

  it('deletes any number of uploads', async () => {
    const { env, store, left } = fresh()
    for (let i = 0; i < 150; i++) await addPendingUpload(store, newDigest(env.UPLOAD_DIGEST_PREFIX), ago(i + 1))
    await sweepPendingUploads(env)
    expect(await left()).toEqual(nothing)
  })

  it('deletes objects that were written after a deletion, once no request can use them', async () => {
    const { env, store, upload, ask, left } = fresh()
    const { digest } = (await upload('file', 'hello')).json
    await ask('DELETE', `/file/${digest}`)
    await env.FILES.put(renditionKey(digest, 'late'), 'x')
    await sweepPendingUploads(env)
    expect(await left()).toMatchObject({ pendingUploads: [digest], objects: [renditionKey(digest, 'late')] })

    await store.db
      .update(store.pendingUploads)
      .set({ due_at: ago(1) })
      .where(eq(store.pendingUploads.digest, digest))
    await sweepPendingUploads(env)
    expect(await left()).toEqual(nothing)
  })

  describe('of videos', () => {
    const media = fresh()
    const add = async (given: Partial<NewItem>, bytes?: Uint8Array, updated_at = ago(120_000)) => {
      const { env, store } = media
      const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
      if (bytes) await env.FILES.put(fileKey(digest), bytes)
      await addItem(store, {
        ...{ digest, kind: 'video', name: 'film', extension: 'mp4', mimetype: 'video/mp4', size: bytes?.length ?? 9 },
        ...{
          width: 64,
          height: 48,
          duration: 1,
          orientation: null,
          max_dimension: null,
          charset: null,
          failure: null,
          state: 'processing',
          ...given,
        },
      })
      await makeOld(digest, updated_at)
      return digest
    }
    const makeOld = (digest: string, updated_at = ago(120_000)) => {
      const { db, items } = media.store
      return db.update(items).set({ updated_at }).where(eq(items.digest, digest))
    }
    const jobOf = (digest: string) =>
      runInDurableObject(bound.VIDEO_JOB.getByName(digest), (_: VideoJob, { storage }) =>
        storage.kv.get<Record<string, unknown>>('work'),
      )
    const alarmOf = (digest: string) =>
      runInDurableObject(bound.VIDEO_JOB.getByName(digest), (_: VideoJob, { storage }) => storage.getAlarm())

    it('starts a job for each video without one', async () => {
      const film = await fixture('film.mov')
      const digest = await add({ max_dimension: 320 }, film)
      const [young, ready] = [await add({}, film, new Date()), await add({ state: 'ready' }, film)]

      await sweepVideos(media.env)

      expect(await jobOf(digest)).toMatchObject({ digest, size: film.length, max_dimension: 320, attempts: 0 })
      expect(await alarmOf(digest)).not.toBeNull()
      expect([await jobOf(young), await jobOf(ready)]).toEqual([undefined, undefined])
      await media.ask('DELETE', `/video/${digest}`)
    })

    it('starts the job of a video that was stored while no job could be started', async () => {
      const start = () => Promise.reject(new Error('overloaded'))
      const VIDEO_JOB = { getByName: () => ({ start, progress: async () => 0 }) } as unknown as Env['VIDEO_JOB']
      const { upload, left } = mediaOn({ DB: undefined as never, ...database, VIDEO_JOB })
      const { status, json } = await upload('video', await fixture('film.mov'))
      expect([status, json.state]).toEqual([200, 'processing'])
      expect(await left()).toMatchObject({ items: [json.digest], objects: [fileKey(json.digest)] })

      await makeOld(json.digest)
      await sweepVideos(media.env)

      expect(await jobOf(json.digest)).toMatchObject({ digest: json.digest })
      await media.ask('DELETE', `/video/${json.digest}`)
    })

    it('resumes a job whose alarm is lost', async () => {
      const { digest } = (await media.upload('video', await fixture('film.mov'))).json
      await makeOld(digest)
      await runInDurableObject(bound.VIDEO_JOB.getByName(digest), (_: VideoJob, { storage }) => storage.deleteAlarm())
      await sweepVideos(media.env)
      expect(await alarmOf(digest)).not.toBeNull()
      await media.ask('DELETE', `/video/${digest}`)
    })

    it('fails a video whose source is lost or not a video, and continues with the next', async () => {
      const text = new TextEncoder().encode('hello')
      const [lost, none] = [await add({}, undefined, ago(9e6)), await add({}, text, ago(8e6))]
      const digest = await add({}, await fixture('film.mov'))

      await sweepVideos(media.env)

      for (const failed of [lost, none]) expect(await findItem(media.store, failed)).toMatchObject({ state: 'failed' })
      expect(await jobOf(digest)).toMatchObject({ digest })
      expect(await findItem(media.store, digest)).toMatchObject({ state: 'processing' })
      await media.ask('DELETE', `/video/${digest}`)
    })
  })
})

it('runs when the Worker is called by its cron trigger', async () => {
  const { env, store, left } = mediaOn()
  const digest = newDigest(env.UPLOAD_DIGEST_PREFIX)
  await addPendingUpload(store, digest, ago(1))
  await env.FILES.put(fileKey(digest), 'x')
  await (exports.default as unknown as { sweep(): Promise<void> }).sweep()
  expect(await left()).toEqual(nothing)
})
