// Tests that a repeated Idempotency-Key creates no second item.
import { describe, expect, it } from 'vitest'
import { listItems } from '#media/item-list'
import { picture } from './pictures.ts'
import { answered, mediaOn, refusal } from './support.ts'

const media = mediaOn()

const numberOfItems = async () => (await listItems(media.store, { limit: 1_000 })).items.length

/** Uploads a file by form with an idempotency key. */
function upload(key: string, kind: string, bytes: Uint8Array<ArrayBuffer> | string) {
  const body = new FormData()
  body.set('file', new File([bytes], 'a.png'))
  return answered(media.fetch(`/${kind}`, { method: 'POST', body, headers: { 'idempotency-key': key } }))
}

const post = (key: string, path: string) =>
  answered(media.fetch(path, { method: 'POST', headers: { 'idempotency-key': key } }))

describe('an Idempotency-Key', () => {
  it.each(['file', 'image'])(
    'of an upload to /%s creates one item, however often the upload is repeated',
    async (kind) => {
      const [key, bytes, before] = [crypto.randomUUID(), await picture('flat/png', 8, 8), await numberOfItems()]
      const first = await upload(key, kind, bytes)
      expect(first).toMatchObject({ status: 200, json: { status: true } })
      expect(await upload(key, kind, bytes)).toMatchObject({ status: 200, json: first.json })
      expect(await numberOfItems()).toBe(before + 1)
    },
  )

  it('of a rejected upload can be used again', async () => {
    const key = crypto.randomUUID()
    expect(await upload(key, 'image', 'no image')).toMatchObject(refusal(415, 'unsupported_media_type'))
    expect(await upload(key, 'image', await picture('flat/png', 8, 8))).toMatchObject({ status: 200 })
  })

  it('of another path is refused', async () => {
    const [key, bytes] = [crypto.randomUUID(), await picture('flat/png', 8, 8)]
    await upload(key, 'file', bytes)
    expect(await upload(key, 'image', bytes)).toMatchObject(refusal(409, 'idempotency_key_reused'))
  })

  it.each(['rotate?d=90', 'rotate?d=360', 'crop?x=0&y=0&w=4&h=4'])('of %s creates one image', async (edit) => {
    const { json } = await upload(crypto.randomUUID(), 'image', await picture('flat/png', 8, 8))
    const path = `/image/${json.digest}/${edit}`
    const [key, before] = [crypto.randomUUID(), await numberOfItems()]
    const first = await post(key, path)
    expect(first).toMatchObject({ status: 200, json: { status: true } })
    expect(await post(key, path)).toMatchObject({ status: 200, json: first.json })
    expect(await numberOfItems()).toBe(before + 1)
  })
})
