import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))

/** What is no component: what all stand on, what stands before them, and what callers have. */
const others = ['core', 'gateway', 'console', 'client']

const components = folders('src').filter((name) => !others.includes(name))

/** The Workers that serve a component, where they are not the one of its own name. */
const served: Record<string, string[]> = { search: ['fulltext', 'typeahead'] }

interface Import {
  file: string
  path: string
  root: string
  isType: boolean
}

/** What the files import from under `src`, by the aliases that everything there uses. */
const importsIn = (...patterns: string[]): Import[] =>
  globSync(patterns).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (type )?[^'"]*? from '(#([\w-]+)\/[^']*)'/gm)].map(
      ([, type, path, root]) => ({ file, path: path!, root: root!, isType: Boolean(type) }),
    ),
  )

it('core knows no component', () => {
  expect(importsIn('src/core/**/*.ts').filter(({ root }) => root !== 'core')).toEqual([])
})

it('the gateway knows no component', () => {
  expect(importsIn('src/gateway/**/*.ts').filter(({ root }) => !['core', 'gateway'].includes(root))).toEqual([])
})

it('the console knows the client alone, and the client nothing', () => {
  const known = (name: string, ...roots: string[]) =>
    importsIn(`src/${name}/**/*.{ts,tsx}`).filter(({ root }) => ![name, ...roots].includes(root))
  expect([...known('console', 'client'), ...known('client')]).toEqual([])
})

it('nothing reaches into another folder by a relative path', () => {
  const climbs = globSync('src/**/*.{ts,tsx}').filter((file) => {
    const depth = file.split('/').length - 2
    const up = [...readFileSync(file, 'utf8').matchAll(/from '((?:\.\.\/)+)/g)].map(([, dots]) => dots!.length / 3)
    return up.some((steps) => steps >= depth)
  })
  expect(climbs).toEqual([])
})

describe.each(components)('%s', (name) => {
  it('takes nothing but types from another component', () => {
    const foreign = importsIn(`src/${name}/**/*.ts`).filter(
      ({ root, isType }) => !isType && ![name, 'core'].includes(root),
    )
    expect(foreign).toEqual([])
  })

  it('keeps HTTP and SQL apart', () => {
    const wire = importsIn(`src/${name}/contract.ts`, `src/${name}/schema.ts`)
    expect(wire.filter(({ path }) => path.startsWith('#core/http/api'))).toEqual([])
  })

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

it('files are short', () => {
  const patterns = ['src/**/*.{ts,tsx}', 'workers/*/index.ts', 'scripts/**/*.ts', 'containers/**/*.ts']
  // What is generated is as long as what it is made from.
  const written = globSync(patterns).filter((file) => !file.startsWith('src/client/api/'))
  const long = written.filter((file) => readFileSync(file, 'utf8').split('\n').length > 300)
  expect(long).toEqual([])
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
