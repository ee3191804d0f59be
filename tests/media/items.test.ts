// Tests the queries on the table of items.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { open } from '#core/db/open'
import type { Env } from '#media/bindings'
import { newDigest } from '#media/digest'
import { addItem, deleteItem, endProcessing, findItem, type NewItem, seekItem, takeProcessing } from '#media/items'
import { addPendingUpload, removeExpiredUploads } from '#media/pending-uploads'
import { fileKey } from '#media/r2-keys'
import { schema } from '#media/schema'
import { databases } from '../support/databases.ts'

const { FILES } = env as unknown as Env
const bound = env as unknown as Env

const newItem = (given: Partial<NewItem> = {}): NewItem => ({
  digest: newDigest(),
  kind: 'file',
  name: 'a',
  extension: 'txt',
  mimetype: 'text/plain',
  size: 3,
  width: null,
  height: null,
  orientation: null,
  max_dimension: null,
  duration: null,
  charset: null,
  state: 'ready',
  failure: null,
  ...given,
})

describe.each(databases)('items on $dialect', (database) => {
  const store = open(database, schema)
  const inAnHour = () => new Date(Date.now() + 3_600_000)
  const traceOf = (digest: string) => store.db.select().from(store.pendingUploads).then((rows) => rows.find((row) => row.digest === digest)) // biome-ignore format: one line
  const isThere = async (digest: string) => (await FILES.head(fileKey(digest))) !== null

  it('are found by digest and kind', async () => {
    const item = newItem({ kind: 'video', duration: 12.48, width: 4, height: 3, state: 'processing' })
    await addItem(store, item)

    expect(await findItem(store, item.digest)).toMatchObject(item)
    expect(await findItem(store, item.digest, 'video')).toMatchObject(item)
    await expect(findItem(store, item.digest, 'audio')).rejects.toMatchObject({ code: 'audio_not_found' })
    await expect(findItem(store, newDigest())).rejects.toMatchObject({ code: 'file_not_found' })
  })

  it('delete their pending upload when added, and leave one when deleted', async () => {
    const item = newItem()
    await addPendingUpload(store, item.digest)
    await addItem(store, item)
    expect(await traceOf(item.digest)).toBeUndefined()

    await deleteItem(store, item.digest, 'file')

    expect(await seekItem(store, item.digest)).toBeUndefined()
    expect(await traceOf(item.digest)).toMatchObject({ upload: null })
    await expect(deleteItem(store, item.digest, 'file')).rejects.toMatchObject({ code: 'file_not_found' })
  })

  it('are not deleted by a deletion of another kind', async () => {
    const item = newItem({ kind: 'image' })
    await addItem(store, item)

    await expect(deleteItem(store, item.digest, 'file')).rejects.toMatchObject({ status: 404 })

    expect(await seekItem(store, item.digest)).toMatchObject(item)
    expect(await traceOf(item.digest)).toBeUndefined()
  })

  it('end a transcoding run once', async () => {
    const { digest } = newItem()
    await addItem(store, newItem({ digest, kind: 'video', state: 'processing' }))
    const taken = async (before: Date) => (await takeProcessing(store, before, inAnHour())).map((row) => row.digest)
    expect(await taken(new Date(0))).toEqual([])
    expect(await taken(new Date(Date.now() + 1))).toContain(digest)
    expect(await taken(new Date(Date.now() + 1))).not.toContain(digest)

    expect(await endProcessing(store, digest, { state: 'ready', size: 9, duration: 1.5 })).toBe(true)

    expect(await findItem(store, digest)).toMatchObject({ state: 'ready', size: 9, duration: 1.5, name: 'a' })
    expect(await taken(new Date(Date.now() + 7_200_000))).not.toContain(digest)
    expect(await endProcessing(store, newDigest(), { state: 'failed' })).toBe(false)
  })

  it('of failed uploads lose their objects when they are due', async () => {
    const digests = [newDigest('due-'), newDigest('new-')]
    await addPendingUpload(store, digests[0]!, new Date(Date.now() - 1))
    await addPendingUpload(store, digests[1]!)
    for (const digest of digests) await FILES.put(fileKey(digest), 'x')

    await removeExpiredUploads(bound, store)

    expect(await Promise.all(digests.map(isThere))).toEqual([false, true])
    expect(await traceOf(digests[0]!)).toBeUndefined()
    expect(await traceOf(digests[1]!)).toBeDefined()
  })
})
