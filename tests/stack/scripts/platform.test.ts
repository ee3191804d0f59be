// Tests the unstable functions of wrangler and miniflare that scripts/stack/platform.ts calls, so that an update that
// breaks them is noticed.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import {
  listenerOf,
  originOf,
  readConfigs,
  restartRuntime,
  splitStatements,
  startRuntime,
  typesOf,
} from '../../../scripts/stack/platform.ts'

let folder: string
let config: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-platform-'))
  config = join(folder, 'wrangler.toml')
  writeFileSync(join(folder, 'index.ts'), 'export default { fetch: () => new Response() }')
  writeFileSync(
    config,
    `name = "greeter"
    main = "index.ts"
    compatibility_date = "2026-11-01"
    [vars]
    GREETING = "hello"
    [secrets]
    required = ["KEY"]
    [[d1_databases]]
    binding = "DB"
    database_name = "greetings"
    migrations_dir = "migrations"
    [[services]]
    binding = "QUEUE"
    service = "queue"`,
  )
  return () => rmSync(folder, { recursive: true, maxRetries: 5 })
})

it('reads variables, secrets, databases and service bindings of a wrangler.toml', async () => {
  const [read] = await readConfigs([config])
  expect(read!.config).toMatchObject({
    vars: { GREETING: 'hello' },
    secrets: { required: ['KEY'] },
    d1_databases: [{ binding: 'DB', database_name: 'greetings', migrations_dir: 'migrations' }],
  })
  expect(read!.options).toMatchObject({
    compatibilityDate: '2026-11-01',
    serviceBindings: { QUEUE: { name: 'queue' } },
  })
})

it('declares the bindings of a wrangler.toml as types', async () => {
  const types = await typesOf(config, join(folder, 'env.d.ts'), 'GreeterEnv')
  expect(types).toContain('interface GreeterEnv')
  expect(types).toMatch(/DB: D1Database;[\s\S]*QUEUE: Fetcher|QUEUE: Fetcher[\s\S]*DB: D1Database;/)
})

it('splits a migration at the ends of statements, not inside of strings and triggers', async () => {
  const trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET b = ';'; DELETE FROM c; END"
  const statements = await splitStatements(`CREATE TABLE a (b TEXT);\n${trigger};\nCREATE TABLE c (d)`)
  expect(statements).toHaveLength(3)
  expect(statements[1]).toContain('DELETE FROM c')
})

const worker = (script: string, bindings: Record<string, string> = {}) => ({
  workers: [
    {
      name: 'greeter',
      modules: true as const,
      script,
      compatibilityDate: '2026-11-01',
      serviceBindings: bindings,
      ...listenerOf('127.0.0.1', 0),
    },
  ],
})

async function started(...settings: Parameters<typeof startRuntime>) {
  const runtime = startRuntime(...settings)
  onTestFinished(() => runtime.dispose())
  await runtime.ready
  return runtime
}

const answering = (text: string) => `export default { fetch: () => new Response('${text}') }`

const textOf = async (runtime: Awaited<ReturnType<typeof started>>, name = 'greeter') =>
  (await fetch(await originOf(runtime, name))).text()

it('runs a Worker with its own listener, and restarts it with other code', async () => {
  const runtime = await started(worker(answering('hello')))
  expect(await textOf(runtime)).toBe('hello')
  await restartRuntime(runtime, worker(answering('salam')))
  expect(await textOf(runtime)).toBe('salam')
})

it('binds a Worker of another runtime by its name', async () => {
  const registry = join(folder, 'registry')
  const asking = 'export default { fetch: (request, env) => env.OTHER.fetch(request) }'
  const [asker] = await Promise.all([
    started({ ...worker(asking, { OTHER: 'other' }), registry }),
    started({ workers: [{ ...worker(answering('from the other')).workers[0]!, name: 'other' }], registry }),
  ])
  await expect.poll(() => textOf(asker!)).toBe('from the other')
})

it('is the only file that calls unstable functions of wrangler and miniflare', () => {
  const files = globSync(['scripts/**/*.ts', 'workers/**/*.ts', 'bench/*.ts', 'vitest.config.ts'])
  const calling = files.filter((file) =>
    /\b(unstable_\w+|experimental_\w+|convertV4\w+|unsafe[A-Z]\w+)\b/.test(readFileSync(file, 'utf8')),
  )
  expect(calling).toEqual(['scripts/stack/platform.ts'])
})
