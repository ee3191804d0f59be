// npm run ci: runs all checks of CI: types, lint and format, `npm test`, the other tests (also on a Postgres server), and the
// dry run of the deployment. The last line has the numbers of passed and failed checks.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { durationsIn, printDurations, type Results, tooSlow } from './ci/durations.ts'
import { installPackages } from './lib/debian.ts'
import { hasPostgres, startPostgres } from './lib/postgres-server.ts'
import { has } from './lib/programs.ts'

mkdirSync('.build', { recursive: true })

let passed = 0
let failed = 0

/** Runs a command. The command counts as one check of the summary. */
function check(command: string, ...settings: string[]): boolean {
  console.log(`\n$ ${[command, ...settings].join(' ')}`)
  const { status } = spawnSync(command, settings, { stdio: 'inherit' })
  if (status === 0) passed++
  else failed++
  return status === 0
}

/** Runs tests. Counts each test, each file that takes too long, and any other failure of the command. */
function test(databaseUrl: string, ...command: string[]) {
  console.log(`\n$ npm ${command.join(' ')}`)
  const results = '.build/tests.json'
  rmSync(results, { force: true })
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  const env = { ...process.env, TEST_DATABASE_URL: databaseUrl }
  const { status } = spawnSync('npm', [...command, ...report], { stdio: 'inherit', env })
  if (!existsSync(results)) {
    failed++
    return
  }
  const counted = JSON.parse(readFileSync(results, 'utf8')) as Results
  passed += counted.numPassedTests
  failed += counted.numFailedTests
  if (status !== 0 && counted.numFailedTests === 0) failed++
  const durations = durationsIn(counted)
  printDurations(durations)
  failed += tooSlow(durations).length
}

check('npm', 'run', '--silent', 'types')
check('npm', 'run', '--silent', 'types:bench')
check('git', 'diff', '--exit-code', '--stat', '--', 'workers')
check('npm', 'run', '--silent', 'lint')
// Installs the programs that tests need, since a test is skipped if its program is missing.
installPackages(
  ...['curl', 'ffmpeg', 'chromium', 'openssl', 'xmlsec1'].filter((name) => !has(name)),
  ...(hasPostgres() ? [] : ['postgresql']),
)
// More connections than the default: some tests open fifty at once, and test files run in parallel.
const postgres = await startPostgres({ settings: { max_connections: '500' } })
try {
  test(postgres.url, 'test', '--')
  test(postgres.url, 'run', 'test:full', '--', '--mode=rest')
} finally {
  postgres.stop()
}
check('npm', 'run', '--silent', 'deploy', '--', '--dry-run')

console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
