// Tests the front-coded dictionary of a segment.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBytes, toText } from '#search/engine/bytes'
import { type Cursor, Dictionary, DictionaryWriter } from '#search/engine/dictionary'

const compare = (one: Uint8Array, other: Uint8Array) => {
  const at = one.findIndex((byte, i) => byte !== other[i])
  return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1)
}

const sorted = (keys: readonly string[]) => [...new Set(keys)].sort((a, b) => compare(toBytes(a), toBytes(b)))

/** Returns the value of a key in the tests: the key itself, for some keys repeated, so that values have different lengths. */
const valueFor = (key: string) => toBytes(key.length % 7 === 0 ? key.repeat(30) : key)

function write(keys: readonly string[]): Dictionary {
  const writer = new DictionaryWriter()
  for (const key of sorted(keys)) writer.add(toBytes(key), valueFor(key))
  return new Dictionary(writer.end())
}

const keyOf = ({ key, length }: Cursor) => toText(key, 0, length)

function rest(cursor: Cursor | undefined): string[] {
  if (!cursor) return []
  const keys = [keyOf(cursor)]
  while (cursor.next()) keys.push(keyOf(cursor))
  return keys
}

/** Random keys of a few letters, so that many keys share a prefix. Some letters take several bytes in UTF-8. */
const key = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '東', '😀'), minLength: 1, maxLength: 40 })
const keys = fc.array(key, { maxLength: 200 })

describe('a dictionary', () => {
  it('finds each of its keys with its value, and no other', () => {
    fc.assert(
      fc.property(keys, key, (all, other) => {
        const dictionary = write(all)
        for (const one of [...all, other]) {
          const reader = dictionary.get(toBytes(one))
          expect(Boolean(reader)).toBe(all.includes(one))
          if (reader)
            expect(toText(reader.bytes, reader.at, reader.at + valueFor(one).length)).toEqual(
              toText(valueFor(one), 0, valueFor(one).length),
            )
        }
      }),
    )
  })

  it('iterates over its keys in order, from any key on', () => {
    fc.assert(
      fc.property(keys, key, (all, from) => {
        const dictionary = write(all)
        const cursor = dictionary.start()
        expect(cursor.next() ? rest(cursor) : []).toEqual(sorted(all))
        const later = sorted(all).filter((one) => compare(toBytes(one), toBytes(from)) >= 0)
        expect(rest(dictionary.seek(toBytes(from)))).toEqual(later)
      }),
    )
  })
})
