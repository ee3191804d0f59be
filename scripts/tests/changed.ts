// npm run test:changed [ref]: runs the tests that a change since a commit can affect, by default since the branch left main.
import { spawnSync } from 'node:child_process'
import { testsReachedBy } from './inputs.ts'
import { allTestFiles } from './selection.ts'

const [first, ...others] = process.argv.slice(2)
const hasRef = first !== undefined && !first.startsWith('-')
const options = hasRef ? others : process.argv.slice(2)

const git = (...command: string[]): string[] => {
  const { status, stdout, stderr } = spawnSync('git', command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${command.join(' ')}: ${stderr}`)
  return stdout.split('\n').filter(Boolean)
}

const since = hasRef ? first : git('merge-base', 'main', 'HEAD')[0]!
const changed = [
  ...git('diff', '--name-only', '--no-renames', since),
  ...git('ls-files', '--others', '--exclude-standard'),
]
const tests = await testsReachedBy(changed, allTestFiles())

console.log(`${changed.length} files changed since ${since.slice(0, 12)}: ${tests.length} test files`)
if (tests.length > 0) {
  const { status } = spawnSync('npx', ['vitest', 'run', ...options, ...tests], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
