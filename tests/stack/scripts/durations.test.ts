// Tests how `npm run ci` finds slow test files.
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { durationsIn, tooSlow } from '../../../scripts/ci/durations.ts'
import { slowFiles } from '../../../scripts/ci/slow-files.ts'

const result = (name: string, startTime: number, endTime: number) => ({ name, startTime, endTime })
const results = (...testResults: ReturnType<typeof result>[]) => ({ numPassedTests: 1, numFailedTests: 0, testResults })

it('lists the duration of each file, longest first', () => {
  const run = results(result('/root/tests/a.test.ts', 0, 1_500), result('/root/tests/b.test.ts', 500, 31_000))
  expect(durationsIn(run, '/root')).toEqual([
    { file: 'tests/b.test.ts', seconds: 30.5 },
    { file: 'tests/a.test.ts', seconds: 1.5 },
  ])
})

it('finds files over 30 s, except those with a reason, by file or by folder', () => {
  const durations = ['tests/a.test.ts', 'tests/b.test.ts', 'tests/c/d.test.ts', 'tests/cc.test.ts'].map((file) => ({
    file,
    seconds: 30.1,
  }))
  const slow = tooSlow([...durations, { file: 'tests/e.test.ts', seconds: 30 }], {
    'tests/b.test.ts': 'reads a lot',
    'tests/c': 'starts stacks',
  })
  expect(slow.map(({ file }) => file)).toEqual(['tests/a.test.ts', 'tests/cc.test.ts'])
})

it('gives reasons only for files and folders that exist', () => {
  expect(Object.keys(slowFiles).filter((path) => !existsSync(path))).toEqual([])
})
