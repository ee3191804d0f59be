// Runs npm run new in a copy of the repository, and the rules, the compiler and the tests on the result.
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const copy = mkdtempSync(join(tmpdir(), 'quartermaster-new-'))

interface Ended {
  code: number | string | null | undefined
  output: string
}

/** Runs a program of the project in the copy, without Vitest's environment variables. */
const run = (program: string, ...parameters: string[]): Promise<Ended> =>
  new Promise((ended) => {
    const { BASE_URL: _, VITEST: __, NODE_ENV: ___, ...own } = process.env
    const env = { ...own, PWD: copy }
    const file = program === 'node' ? process.execPath : join(copy, 'node_modules/.bin', program)
    execFile(file, parameters, { cwd: copy, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      ended({ code: error ? error.code : 0, output: stdout + stderr }),
    )
  })

const succeeded = { code: 0, output: expect.any(String) }

/** The repository's files, without those that git ignores, to be copied. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file))

beforeAll(() => {
  for (const file of files) cpSync(file, join(copy, file))
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
})

afterAll(() => rmSync(copy, { recursive: true }))

describe('a generated component', () => {
  const made: Ended[] = []

  beforeAll(async () => {
    made.push(await run('node', 'scripts/new.ts', 'throwaway', 'Greets a person in a language'))
    made.push(await run('node', 'scripts/new.ts', 'discarded', '--database', 'Short notes, listed by time'))
  })

  it('is generated with and without a database', () => {
    expect(made).toEqual([succeeded, succeeded])
    expect(made[1]?.output).toContain('src/discarded/schema.ts')
  })

  it('is in the manifests, the gateway, the README, the guide and the client', () => {
    const read = (file: string) => readFileSync(join(copy, file), 'utf8')
    expect(read('src/manifests.ts')).toContain('  throwaway,\n  discarded,\n]')
    expect(read('wrangler.toml')).toContain('binding = "DISCARDED"\nservice = "discarded"')
    for (const file of ['README.md', 'docs/index.md']) expect(read(file)).toContain('discarded.md) | Short notes')
    expect(Object.keys(JSON.parse(read('docs/openapi.json')).paths)).toContain('/discarded/notes')
    expect(read('src/client/api/discarded.ts')).toContain("'/notes'")
  })

  it('passes the rules, and the tests of the guide and of the client', async () => {
    const tests = ['tests/stack/rules.test.ts', 'tests/stack/docs/pages.test.ts', 'tests/client/generated.test.ts']
    expect(await run('vitest', 'run', ...tests)).toEqual(succeeded)
  })

  it('passes the linter and the compiler', async () => {
    expect(await run('biome', 'check', '--error-on-warnings', '.')).toEqual(succeeded)
    expect(await run('tsc')).toEqual(succeeded)
    expect(await run('tsc', '-p', 'src/console')).toEqual(succeeded)
  })

  it('passes its own tests', async () => {
    expect(await run('vitest', 'run', 'tests/throwaway', 'tests/discarded')).toEqual(succeeded)
  })

  it('is not generated a second time', async () => {
    const again = await run('node', 'scripts/new.ts', 'throwaway')
    expect(again).toEqual({ code: 1, output: expect.stringContaining('src/throwaway exists already') })
  })
})
