// Tests ARCHITECTURE.md: it names only files that exist, and stays short.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const text = readFileSync('ARCHITECTURE.md', 'utf8')

/** The paths of the repository that a text names in code spans. */
const pathsIn = (markdown: string) =>
  [...markdown.matchAll(/`((?:src|workers|containers|scripts|tests|docs|bench)(?:\/[\w.-]+)*)`/g)].map(
    ([, path]) => path!,
  )

it('names only files and folders that exist in ARCHITECTURE.md', () => {
  const paths = pathsIn(text)
  expect(paths.length).toBeGreaterThan(30)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})

it('keeps ARCHITECTURE.md within 150 lines', () => {
  expect(text.split('\n').length).toBeLessThanOrEqual(150)
})
