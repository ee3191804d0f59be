// Finds the duration of each test file in the results of vitest, and the files over the limit, for `npm run ci`.
import { relative } from 'node:path'
import { slowFiles } from './slow-files.ts'

/** The output of Vitest's JSON reporter: the fields that are read here. */
export interface Results {
  numPassedTests: number
  numFailedTests: number
  /** Times in milliseconds since 1970; `name` is an absolute path. */
  testResults: { name: string; startTime: number; endTime: number }[]
}

interface Duration {
  file: string
  seconds: number
}

const maxSeconds = 30

/** The test files of a run with their durations, longest first. */
export const durationsIn = ({ testResults }: Results, root = process.cwd()): Duration[] =>
  testResults
    .map(({ name, startTime, endTime }) => ({ file: relative(root, name), seconds: (endTime - startTime) / 1_000 }))
    .sort((a, b) => b.seconds - a.seconds)

/**
 * The files that took longer than `maxSeconds`, except those for which `slowFiles` gives a reason, by file or by
 * folder.
 */
export const tooSlow = (durations: Duration[], reasons: Record<string, string> = slowFiles): Duration[] =>
  durations.filter(
    ({ file, seconds }) =>
      seconds > maxSeconds && !Object.keys(reasons).some((path) => file === path || file.startsWith(`${path}/`)),
  )

export function printDurations(durations: Duration[]) {
  console.log('\nSeconds of each test file')
  for (const { file, seconds } of durations) console.log(`${seconds.toFixed(1).padStart(7)} ${file}`)
  for (const { file, seconds } of tooSlow(durations)) {
    console.log(
      `${file} took ${seconds.toFixed(1)} s. A test file may take ${maxSeconds} s: split it, make it faster, or list it with a reason in scripts/ci/slow-files.ts.`,
    )
  }
}
