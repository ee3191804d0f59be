// Tests which test files `npm run test:changed` selects for a change.
import { expect, it } from 'vitest'
import { testsReachedBy } from '../../../scripts/tests/inputs.ts'

const files = [
  'tests/badge/path.test.ts',
  'tests/badge/routes.test.ts',
  'tests/containers/media/images.test.ts',
  'tests/feed/routes.test.ts',
  'tests/stack/docs/pages.test.ts',
]

it.each([
  ['a file that tests import', ['src/badge/path.ts'], ['tests/badge/path.test.ts', 'tests/badge/routes.test.ts']],
  ['a file that the Worker of the tests imports', ['workers/badge/index.ts'], ['tests/badge/routes.test.ts']],
  [
    'the configuration of a Worker',
    ['workers/badge/wrangler.toml'],
    ['tests/badge/routes.test.ts', 'tests/stack/docs/pages.test.ts'],
  ],
  ['a migration', ['migrations/feed/d1/0009_new.sql'], ['tests/feed/routes.test.ts']],
  ['a server that tests start as a process', ['containers/media/server.ts'], ['tests/containers/media/images.test.ts']],
  ['a page that tests read', ['docs/badge.md'], ['tests/stack/docs/pages.test.ts']],
  ['a test', ['tests/feed/routes.test.ts'], ['tests/feed/routes.test.ts']],
  ['a dependency', ['package-lock.json'], files],
  ['a file that no test reads', ['LICENSE'], []],
])('%s reaches the tests that depend on it', async (_, changed, reached) => {
  expect(await testsReachedBy(changed, files)).toEqual(reached)
})
