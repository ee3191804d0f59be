// Tests that a reader with a cursor misses no document while others are being stored concurrently.
import { describe, expect, it } from 'vitest'
import { buses, createCollectionAndUser } from './support.ts'

const writers = 8
const each = 25

describe.each(buses())('documents on $dialect', (tested) => {
  it('are read completely, once and in order, during concurrent writes', async () => {
    const { collection } = await createCollectionAndUser(tested, 'storage')
    const write = async () => {
      for (let n = 0; n < each; n++) {
        const document = { collection: collection.name, event: 'e', uuid: crypto.randomUUID(), data: n }
        expect((await tested.send('POST', '/document', document)).status).toBe(201)
      }
    }
    let isOver = false
    const writing = Promise.all(Array.from({ length: writers }, write)).finally(() => {
      isOver = true
    })
    const seen: number[] = []
    for (let wasOver = false; !wasOver; ) {
      wasOver = isOver
      const { documents } = await tested.content('GET', '/documents', {
        collection: collection.name,
        id: seen.at(-1) ?? 0,
      })
      const ids = (documents as unknown as { id: number }[]).map(({ id }) => id)
      seen.push(...ids)
      if (ids.length > 0) wasOver = false
    }
    await writing
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen).toHaveLength(writers * each)
  })
})
