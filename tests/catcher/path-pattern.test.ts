// Tests of the path patterns of stubs: which are accepted, and that hostile paths do not take long to match.
import { expect, it } from 'vitest'
import { compilePattern, objectionToPattern, patternOf, similarity } from '#catcher/path-pattern'

it.each(['*', '/', '/orders/:id', '/orders/:id/items/:item', '/files/*', '/:name.json', '/a\\:b', '/ä ö', '/:any/x/*'])(
  'accepts %s',
  (pattern) => {
    expect(objectionToPattern(pattern)).toBeUndefined()
  },
)

it.each([
  ['/((a+)+)', 'backslash'],
  ['/:id(\\d+)', 'backslash'],
  ['/:a+', 'backslash'],
  ['/{a}?', 'backslash'],
  ['/:id*', 'in each segment'],
  ['/**', 'in each segment'],
  ['/:a:b', 'in each segment'],
  ['/:a-:b', 'in each segment'],
  ['/*/a/*', 'at most one *'],
  ['/:', 'path pattern'],
  ['/:a/:a', 'path pattern'],
  [Array.from({ length: 21 }, (_, i) => `/:v${i}`).join(''), '20 variables'],
])('refuses %s', (pattern, message) => {
  expect(objectionToPattern(pattern)).toContain(message)
})

it('matches the longest hostile paths in linear time', () => {
  const pattern = compilePattern(`/*${Array.from({ length: 19 }, (_, i) => `/:v${i}`).join('')}/end`)
  for (const unit of ['a', '/', '/a', 'a/', '%', '..', '/../'])
    for (let i = 0; i < 20; i++) expect(pattern.test({ pathname: `/${unit.repeat(16_000 / unit.length)}` })).toBe(false)
})

it.each(['/a', '/a*', '*', '/x(y)', '/x:y', '/a?b', '/{x}', '/a+b', '/a\\b', '/a*b*', '/**'])(
  'makes a pattern from the path %s that matches the same',
  (path) => {
    const pattern = compilePattern(patternOf(path))
    const end = path.endsWith('*') ? path.slice(0, -1) : path
    for (const same of path.endsWith('*') ? [end || '/', `${end || '/'}z`] : [path])
      expect(pattern.test({ pathname: same })).toBe(true)
    expect(pattern.test({ pathname: `/other${path}` })).toBe(path === '*')
  },
)

it('compares paths by segments', () => {
  expect(similarity('/orders/:id/items', '/orders/7/items')).toBe(1)
  expect(similarity('/orders/:id/items', '/orders/7/item')).toBeCloseTo(2 / 3)
  expect(similarity('/orders/:id', '/')).toBe(0)
  expect(similarity('*', '/')).toBe(0)
})
