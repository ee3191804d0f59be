// Tests that every test file runs in `npm test` or in `npm run test:full`.
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allTestFiles, isInTier, namedTestFiles, projectOf } from '../../../scripts/tests/selection.ts'

const files = allTestFiles()

const components = readdirSync('workers', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
)

it('runs every test file in npm test or npm run test:full', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => !isInTier(file, 'fast') && !isInTier(file, 'rest'))).toEqual([])
})

it('runs every test file in a project that has a configuration', () => {
  const projects = ['unit', 'core', 'gateway', 'stack', 'client', 'containers', 'deploy', ...components]
  expect(files.filter((file) => !projects.includes(projectOf(file)))).toEqual([])
})

it('covers every component in npm test', () => {
  const covered = new Set(files.filter((file) => isInTier(file, 'fast')).map(projectOf))
  expect(components.filter((name) => !covered.has(name))).toEqual([])
})

describe('the tier of a test file', () => {
  it.each([
    ['a test that needs no database', 'tests/core/phone.test.ts', true, false],
    ['a test that runs on each database', 'tests/badge/badges.test.ts', true, true],
    ['a test that is named full', 'tests/badge/large.full.test.ts', false, true],
    ['a test of whole stacks', 'tests/stack/crash/stack.test.ts', false, true],
  ])('%s', (_, file, fast, rest) => {
    expect([isInTier(file, 'fast'), isInTier(file, 'rest')]).toEqual([fast, rest])
  })
})

describe('the project of a test file', () => {
  it.each([
    ['a test that needs nothing of Cloudflare', 'tests/badge/path.test.ts', 'unit'],
    ['a test that imports cloudflare:workers through another file', 'tests/badge/routes.test.ts', 'badge'],
    ['a test of the search engine with storage', 'tests/search/engine/model.test.ts', 'fulltext'],
    ['a test of the client', 'tests/client/query.test.ts', 'client'],
  ])('%s', (_, file, project) => expect(projectOf(file)).toBe(project))
})

describe('the files that a command names', () => {
  it.each([
    ['part of a path', ['badge/path'], ['tests/badge/path.test.ts']],
    ['a path with ./', ['./tests/badge/path.test.ts'], ['tests/badge/path.test.ts']],
    ['an option only', ['--mode=fast'], files],
    ['the command alone', ['run', '--mode=rest'], files],
    ['a title', ['run', '-t', 'badge/path'], files],
    [
      'a file after the command and an option',
      ['run', '--reporter', 'json', 'badge/path'],
      ['tests/badge/path.test.ts'],
    ],
  ])('%s', (_, words, named) => expect(namedTestFiles(words)).toEqual(named))
})
