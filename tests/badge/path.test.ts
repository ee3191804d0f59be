// Tests the paths under which badges are stored.
import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isName, nameOf, pathOf, pathsAbove, rangeOf } from '#badge/path'
import { runs } from '../support/tier.ts'

const segment = constantFrom('a', 'b', 'aa', 'a!', 'a-b', 'a0', 'é', '\u{10ffff}')
const name = array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
const anyName = string({ unit: 'grapheme', minLength: 1 }).filter(isName)

const bytes = (text: string) => Buffer.from(text)
const lies = (path: string, { from, to }: { from: string; to?: string }) =>
  Buffer.compare(bytes(path), bytes(from)) >= 0 && (to === undefined || Buffer.compare(bytes(path), bytes(to)) < 0)

const isAtOrBelow = (lower: string, upper: string) => {
  const [below, at] = [lower.split('/'), upper.split('/')]
  return at.every((segment, i) => segment === below[i])
}

describe('a path', () => {
  it('converts back to its name', () => {
    assert(property(anyName, (name) => nameOf(pathOf(name)) === name))
    expect(nameOf(pathOf('_all'))).toBe('_all')
  })

  it('has exactly the paths at or below it in its range', () => {
    assert(
      property(name, name, (lower, upper) => lies(pathOf(lower), rangeOf(pathOf(upper))) === isAtOrBelow(lower, upper)),
      { numRuns: runs(2_000) },
    )
  })

  it('is in the range of each path above it and starts with each of them', () => {
    assert(
      property(anyName, (name) => {
        const path = pathOf(name)
        return pathsAbove(path).every((upper) => path.startsWith(upper) && upper !== path && lies(path, rangeOf(upper)))
      }),
    )
  })

  it('has one path above it for each segment, in order', () => {
    assert(
      property(name, (name) => {
        const paths = [...pathsAbove(pathOf(name)), pathOf(name)]
        expect(paths).toHaveLength(name.split('/').length + 1)
        expect(paths.map(pathsAbove)).toEqual(paths.map((_, i) => paths.slice(0, i)))
      }),
    )
  })
})

describe('a name', () => {
  it.each(['a', 'a/b/c', ' ', 'a/_all', '_all_', '%', 'a,b', Array(16).fill('s').join('/')])('can be %j', (name) => {
    expect(isName(name)).toBe(true)
  })

  it.each(['', '/', '/a', 'a/', 'a//b', '_all', '_all/a', Array(17).fill('s').join('/')])('cannot be %j', (name) => {
    expect(isName(name)).toBe(false)
  })
})
