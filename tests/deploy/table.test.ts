import { expect, test } from 'vitest'
import { table } from '../../scripts/lib/table.ts'

test('sets figures to the right and text to the left', () => {
  const rows = [
    ['feed', 1691, 'DB d1'],
    ['media-container', 9, ''],
  ]
  expect(table(['component', 'kB', 'bindings'], rows)).toBe(
    ['component          kB  bindings', 'feed             1691  DB d1', 'media-container     9'].join('\n'),
  )
})

test('is its headings where there is nothing', () => {
  expect(table(['component', 'kB'], [])).toBe('component  kB')
})
