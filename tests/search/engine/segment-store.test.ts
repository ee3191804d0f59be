// Tests the reading of documents that were replaced or deleted since the search.
import { describe, expect, it } from 'vitest'
import { document, find, hitsOf, inStorage, open, read } from './inverted.ts'

const segmentsIn = ({ sql }: DurableObjectStorage) => sql.exec('SELECT id FROM segments').toArray().length

it.each([
  ['punctuation', '!'.repeat(100_000)],
  ['a single word', 'a'.repeat(100_000)],
])('text of %s is flushed to disk like other text, so that a start reads little', async (_, text) => {
  await inStorage((storage) => {
    const index = open(storage, 'fulltext')
    for (let i = 0; i < 5; i++) index.write([document(String(i), text)])
    expect(segmentsIn(storage)).toBe(1)
    expect(open(storage, 'fulltext').size).toBe(5)
  })
})

describe.each(['fulltext', 'typeahead'] as const)('%s', (variant) => {
  it('reads replaced documents in their new version, and no deleted or recreated ones', async () => {
    await inStorage((storage) => {
      const index = open(storage, variant)
      index.write(['1', '2', '3', '4', '5'].map((code) => document(code, 'found')))
      const { hits } = hitsOf(index, variant, 'found')
      const texts = (from = index) => read(from, hits).map((one) => one?.text)
      index.write([document('2', 'once', null, 6), document('3', 'once', null, 7)])
      index.write([document('3', 'twice', null, 8)])
      index.remove('4')
      index.write([document('5', 'changed', null, 9)])
      index.remove('5')
      index.write([document('5', 'another', null, 10)])
      expect(texts()).toEqual(['found', 'once', 'twice', undefined, undefined])
      index.write([document('6', 'flow '.repeat(60_000))])
      expect(segmentsIn(storage)).toBe(1)
      index.write([document('2', 'thrice', null, 11)])
      for (const one of [index, open(storage, variant)])
        expect(texts(one)).toEqual(['found', 'thrice', 'twice', undefined, undefined])
    })
  })

  it.each(['documents', 'segments', 'pages', 'dead'])(
    'keeps its content if a write to %s fails in the middle of a change',
    async (table) => {
      await inStorage((storage) => {
        const long = (code: number) => document(String(code), `w${code} ${'flow '.repeat(30_000)}`)
        const answers = (index = open(storage, variant)) =>
          ['w1', 'w', 'flow', 'w9'].map((text) => find(index, variant, text))
        const index = open(storage, variant)
        index.write([1, 2, 3, 4].map(long))
        index.write([document('5', 'w5 alone')])
        const before = answers(index)
        storage.sql.exec(`CREATE TRIGGER fails BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'disk'); END`)
        expect(() => index.write([1, 2, 9].map(long))).toThrow('disk')
        expect([answers(index), answers()]).toEqual([before, before])
        storage.sql.exec('DROP TRIGGER fails')
        index.write([1, 2, 9].map(long))
        expect(answers(index).map(({ total }) => total)).toEqual([1, 6, 5, 1])
        expect(answers()).toEqual(answers(index))
      })
    },
  )
})

it('a search that cannot read its index does not affect other indexes', async () => {
  const fill = (storage: DurableObjectStorage) => {
    const index = open(storage, 'fulltext')
    index.write(Array.from({ length: 5 }, (_, i) => document(String(i), `aaa ${'flow '.repeat(30_000)} zzz`)))
    return index
  }
  await inStorage(async (storage) => {
    const whole = fill(storage)
    const before = find(whole, 'fulltext', 'aaa zzz')
    await inStorage((other) => {
      const broken = fill(other)
      other.sql.exec('DELETE FROM pages WHERE file = 3 AND page > 0')
      expect(find(broken, 'fulltext', 'aaa').total).toBe(5)
      expect(() => find(broken, 'fulltext', 'aaa zzz')).toThrow()
    })
    expect(find(whole, 'fulltext', 'aaa zzz')).toEqual(before)
  })
})
