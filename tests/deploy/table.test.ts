// Tests the text tables that scripts print.
import { expect, test } from 'vitest'
import { table } from '../../scripts/lib/table.ts'

test('aligns numbers right and text left', () => {
  const rows = [
    ['feed', 1691, 'DB d1'],
    ['media-container', 9, ''],
  ]
  expect(table(['component', 'kB', 'bindings'], rows)).toBe(
    ['component          kB  bindings', 'feed             1691  DB d1', 'media-container     9'].join('\n'),
  )
})

test('prints only headings without rows', () => {
  expect(table(['component', 'kB'], [])).toBe('component  kB')
})
