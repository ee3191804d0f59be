// Tests the architecture rules of the repository (`npm run rules`), and the rules for manifests and configurations.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifests } from '#manifests'
import { operations } from '../../scripts/cost/operations/operations.ts'
import { derivedFiles } from '../../scripts/lib/derived.ts'
import { checkRules } from '../../scripts/rules/check.ts'
import { readFiles } from '../../scripts/rules/tree.ts'
import { mix } from '../../scripts/soak/mix/mix.ts'

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

const sources = [...new Set(manifests.map(({ name, source = name }) => source))]

describe('the architecture', () => {
  const { violations, unneeded } = checkRules(readFiles())

  it('has no violations', () => {
    expect(violations.map(({ rule, file, line, detail }) => `${rule}: ${file}:${line} ${detail}`)).toEqual([])
  })

  it('has no unneeded exceptions', () => {
    expect(unneeded).toEqual([])
  })
})

describe('the manifests', () => {
  it('list all components under src, and all Workers', () => {
    const others = ['core', 'gateway', 'console', 'client']
    expect(sources.toSorted()).toEqual(folders('src').filter((name) => !others.includes(name)))
    expect(manifests.map(({ name }) => name).sort()).toEqual(folders('workers'))
  })

  it.each([...derivedFiles()])('match %s, which npm run manifests writes', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it.each(manifests)('$name has the name of its Worker', ({ name }) => {
    expect(readFileSync(`workers/${name}/wrangler.toml`, 'utf8')).toMatch(new RegExp(`^name = "${name}"$`, 'm'))
  })

  it.each(manifests)(
    'of $name has a page in the console, operations of the soak and operations of the costs',
    ({ name, page = name }) => {
      expect(existsSync(`src/console/pages/${page}/page.tsx`)).toBe(true)
      expect([mix[name], operations[name]]).not.toContain(undefined)
    },
  )
})

it('every Worker has the same compatibility date and flags', () => {
  const settings = ['wrangler.toml', ...globSync('{workers,containers}/*/wrangler.toml')].map((file) =>
    readFileSync(file, 'utf8')
      .match(/^compatibility_.*$/gm)
      ?.join('\n'),
  )
  expect(new Set(settings).size).toBe(1)
})

/** The section `[observability]` of a configuration, up to the next heading. */
const observability = (text: string) => /^ *\[observability\]\n(?: *(?:\w.*|#.*)\n)+/m.exec(text)?.[0]

it('every Worker has logs without query strings', () => {
  const files = globSync(['wrangler.toml', '{workers,containers}/*/wrangler.toml'])
  const mismatches = files.filter((file) => {
    const settings = observability(readFileSync(file, 'utf8')) ?? ''
    return !/^ *enabled = true$/m.test(settings) || !/^ *redact_query_string = true$/m.test(settings)
  })
  expect(mismatches).toEqual([])
  expect(files.length).toBeGreaterThan(18)
})

it('every component, also a new one, can verify keys and tokens', () => {
  const files = globSync(['workers/*/wrangler.toml', 'scripts/new/template/*/workers/__name__/wrangler.toml.txt'])
  const unbound = files.filter((file) => !readFileSync(file, 'utf8').includes('binding = "ACCESS"\nservice = "access"'))
  expect(unbound).toEqual(['workers/access/wrangler.toml'])
  expect(files.length).toBeGreaterThan(18)
})

it('every component has its own meter', () => {
  const missing = globSync('workers/*/').filter(
    (folder) =>
      !/^name = "METER"\nclass_name = "Meter"$/m.test(readFileSync(`${folder}/wrangler.toml`, 'utf8')) ||
      !readFileSync(`${folder}/index.ts`, 'utf8').includes("export { Meter } from '#core/metrics/meter'"),
  )
  expect(missing).toEqual([])
})

const stored = sources.filter((name) => existsSync(`src/${name}/schema.ts`))

it.each(stored)('%s has the same migrations for both databases', (name) => {
  const names = (dialect: string) =>
    globSync(`migrations/${name}/${dialect}/*.sql`)
      .map((file) => basename(file))
      .sort()
  expect(names('d1').length).toBeGreaterThan(0)
  expect(names('d1')).toEqual(names('postgres'))
})
