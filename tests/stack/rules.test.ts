import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkRules } from '../../scripts/rules/check.ts'
import { newViolations } from '../../scripts/rules/known.ts'
import { readFiles } from '../../scripts/rules/tree.ts'

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

/** What is no component: what all stand on, what stands before them, and what callers have. */
const others = ['core', 'gateway', 'console', 'client']

const components = folders('src').filter((name) => !others.includes(name))

/** The Workers that serve a component, where they are not the one of its own name. */
const served: Record<string, string[]> = { search: ['fulltext', 'typeahead'] }

describe('the architecture', () => {
  const { violations, unneeded } = checkRules(readFiles())

  it('has no violations besides known ones', () => {
    expect(
      newViolations(violations).map(({ rule, file, line, detail }) => `${rule}: ${file}:${line} ${detail}`),
    ).toEqual([])
  })

  it('has no exceptions that nothing needs', () => {
    expect(unneeded).toEqual([])
  })
})

describe.each(components)('%s', (name) => {
  it.each(served[name] ?? [name])('is the Worker %s, under that name, behind the gateway', (worker) => {
    const config = readFileSync(`workers/${worker}/wrangler.toml`, 'utf8')
    expect(config).toMatch(new RegExp(`^name = "${worker}"$`, 'm'))
    const binding = worker.toUpperCase().replaceAll('-', '_')
    expect(readFileSync('wrangler.toml', 'utf8')).toContain(`binding = "${binding}"\nservice = "${worker}"`)
  })
})

it('every Worker runs on the same date, with the same flags', () => {
  const settings = ['wrangler.toml', ...globSync('{workers,containers}/*/wrangler.toml')].map((file) =>
    readFileSync(file, 'utf8')
      .match(/^compatibility_.*$/gm)
      ?.join('\n'),
  )
  expect(new Set(settings).size).toBe(1)
})

/** The text between a heading of TOML and the next one. */
const observability = (text: string) => /^ *\[observability\]\n(?: *(?:\w.*|#.*)\n)+/m.exec(text)?.[0]

it('every Worker is logged, and no query string reaches the logs', () => {
  const files = [...globSync(['wrangler.toml', '{workers,containers}/*/wrangler.toml']), 'CONTRIBUTING.md']
  const wrong = files.filter((file) => {
    const settings = observability(readFileSync(file, 'utf8')) ?? ''
    return !/^ *enabled = true$/m.test(settings) || !/^ *redact_query_string = true$/m.test(settings)
  })
  expect(wrong).toEqual([])
  expect(files.length).toBeGreaterThan(19)
})

it('every component has a meter of its own', () => {
  const missing = globSync('workers/*/').filter(
    (folder) =>
      !/^name = "METER"\nclass_name = "Meter"$/m.test(readFileSync(`${folder}/wrangler.toml`, 'utf8')) ||
      !readFileSync(`${folder}/index.ts`, 'utf8').includes("export { Meter } from '#core/metrics/meter'"),
  )
  expect(missing).toEqual([])
})

const stored = components.filter((name) => existsSync(`src/${name}/schema.ts`))

it.each(stored)('%s has the same migrations for both databases', (name) => {
  const names = (dialect: string) =>
    globSync(`migrations/${name}/${dialect}/*.sql`)
      .map((file) => basename(file))
      .sort()
  expect(names('d1').length).toBeGreaterThan(0)
  expect(names('d1')).toEqual(names('postgres'))
})
