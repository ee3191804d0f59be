// Tests whole deployments to a fake account.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { describe, type ExpectStatic, test } from 'vitest'
import { type Prepared, prepare } from './prepare.ts'

const secrets = `
AUTH_TOKENS=the-tokens-of-all
LEVEL=of-the-secrets
alpha.KEY="-----BEGIN KEY-----
line $HOME
-----END KEY-----"
`

/** Configuration of the Workers' logs, without query strings. */
const logged = { enabled: true, redact_query_string: true }

/** The names of the Workers in the order in which their code was uploaded. */
const uploads = (calls: string[]) =>
  calls.flatMap((call) => /^(?:PUT|POST) workers\/scripts\/(\w+)(?:\/versions)?$/.exec(call)?.[1] ?? [])

const expectComplete = (expect: ExpectStatic, { cloudflare, tables, bindings }: Prepared) => {
  expect(cloudflare.unexpectedRequests).toEqual([])
  expect(cloudflare.databases.map(({ name }) => name).sort()).toEqual(['alpha', 'beta'])
  expect(cloudflare.buckets).toEqual(['alpha-files'])
  expect(tables('alpha')).toEqual(['a', 'aa', 'd1_migrations'])
  expect(tables('beta')).toEqual(['b', 'd1_migrations'])
  for (const { name, uuid } of cloudflare.databases) expect(bindings(name).DB).toEqual({ type: 'd1', id: uuid })
  expect([...cloudflare.scripts.keys()].sort()).toEqual(['alpha', 'beta', 'gateway'])
}

describe.concurrent('npm run deploy', { timeout: 900_000 }, () => {
  test('creates missing resources, then deploys each component after those that it binds', async (context) => {
    const { expect } = context
    const prepared = await prepare(context, secrets)
    const { cloudflare, project, bindings } = prepared
    const { code, output, lines } = await project.deploy()
    expect(lines).toEqual([
      'created the database beta',
      'created the database alpha',
      'created the bucket alpha-files',
      'beta: the database beta is up to date',
      'beta: deployed',
      'alpha: the database alpha is up to date',
      'alpha: deployed',
      'gateway: deployed to https://gateway.tests.workers.dev, schedule: * * * * *',
    ])
    expect(code).toBe(0)
    expectComplete(expect, prepared)
    expect(uploads(cloudflare.calls)).toEqual(['beta', 'alpha', 'gateway'])
    expect(cloudflare.schedules.get('gateway')).toEqual(['* * * * *'])
    expect([...cloudflare.files]).toEqual([['/index.html', '<!doctype html><title>A page</title>']])
    expect(bindings('gateway').ASSETS).toEqual({ type: 'assets' })
    expect(bindings('alpha')).toMatchObject({
      AUTH_TOKENS: { type: 'secret_text', text: 'the-tokens-of-all' },
      KEY: { type: 'secret_text', text: '-----BEGIN KEY-----\nline $HOME\n-----END KEY-----' },
      LEVEL: { type: 'secret_text', text: 'of-the-secrets' },
      MODE: { type: 'plain_text', text: 'plain' },
      BETA: { type: 'service', service: 'beta' },
      THING: { type: 'durable_object_namespace', class_name: 'Thing' },
    })
    expect(bindings('alpha').DEPLOYED_NAMES).toEqual({ type: 'plain_text', text: 'AUTH_TOKENS,KEY,LEVEL' })
    expect(Object.keys(bindings('beta')).sort()).toEqual(['AUTH_TOKENS', 'DB', 'DEPLOYED_NAMES'])
    expect(Object.keys(bindings('gateway')).sort()).toEqual(['ALPHA', 'ASSETS', 'BETA', 'DEPLOYED_NAMES'])
    expect(output).not.toMatch(/the-tokens|of-the-secrets|BEGIN KEY/)
    expect(cloudflare.scripts.get('beta')!.observability).toEqual(logged)
    const { mode } = statSync(join(project.root, '.deploy', 'config'))
    expect(mode & 0o077).toBe(0)
    expect(readdirSync(join(project.root, '.deploy')).filter((file) => file.endsWith('secrets.json'))).toEqual([])

    cloudflare.calls.length = 0
    project.write({ '.deploy/secrets.env': 'AUTH_TOKENS=others-for-all\nLOG_SAMPLING_RATE=0.1' })
    const again = await project.deploy()
    expect(again.lines).toEqual([
      'beta: the database beta is up to date',
      'beta: deployed',
      'alpha: the database alpha is up to date',
      'alpha: deployed',
      'alpha: removed KEY',
      'gateway: deployed to https://gateway.tests.workers.dev, schedule: * * * * *',
    ])
    expect(cloudflare.scripts.get('beta')!.observability).toEqual({ ...logged, head_sampling_rate: 0.1 })
    expectComplete(expect, prepared)
    expect(uploads(cloudflare.calls)).toEqual(['beta', 'alpha', 'alpha', 'gateway'])
    expect(cloudflare.calls.filter((call) => /^POST (d1\/database|r2\/buckets)$/.test(call))).toEqual([])
    expect(bindings('alpha')).toMatchObject({ AUTH_TOKENS: { text: 'others-for-all' }, LEVEL: { type: 'plain_text' } })
    expect(bindings('alpha').KEY).toBeUndefined()
    expect(bindings('alpha').DEPLOYED_NAMES).toEqual({ type: 'plain_text', text: 'AUTH_TOKENS' })
  })

  test.for([
    ['POST d1/database', ['beta']],
    ['POST d1/database/*/query', ['beta']],
    ['PUT workers/scripts/alpha', []],
  ] as const)('completes a deployment that was interrupted after %s', async ([call, names], context) => {
    const { expect } = context
    const prepared = await prepare(context, secrets)
    const { cloudflare, project } = prepared
    cloudflare.fate.cut = { call, by: () => project.stop('SIGKILL') }
    expect((await project.deploy([...names])).code).toBeNull()
    expect(cloudflare.fate.cut).toBeUndefined()
    const { code, output } = await project.deploy()
    expect(code, output).toBe(0)
    expectComplete(expect, prepared)
    expect(existsSync(join(project.root, '.deploy/alpha.secrets.json'))).toBe(false)
  })

  test('deletes its files with secrets when it is interrupted', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context)
    let isLent = false
    const by = () => {
      isLent = existsSync(join(project.root, '.deploy/beta.secrets.json'))
      project.stop('SIGINT')
    }
    cloudflare.fate.cut = { call: 'PUT workers/scripts/beta', by }
    const { code, lines } = await project.deploy(['beta'])
    expect(lines.at(-1)).toBe('beta: wrangler was stopped by SIGINT')
    expect(code).toBe(1)
    expect(isLent).toBe(true)
    expect(existsSync(join(project.root, '.deploy/beta.secrets.json'))).toBe(false)
  })

  test('deploys the named components only, and warns of one without access', async (context) => {
    const { expect } = context
    const { cloudflare, project } = await prepare(context, 'alpha.OPEN=true\nbeta.HTTP_AUTH_USERNAME=user')
    const { code, lines } = await project.deploy(['beta'])
    expect(code).toBe(0)
    expect(lines[0]).toMatch(/^Warning: beta will answer 503 .+ AUTH_TOKENS, .+ HTTP_AUTH_PASSWORD, nor OPEN=true/)
    expect([...cloudflare.scripts.keys()]).toEqual(['beta', 'gateway'])
    expect(cloudflare.databases.map(({ name }) => name)).toEqual(['beta'])
    expect(cloudflare.unexpectedRequests).toEqual([])
  })

  test('migrates a component on Postgres there, and creates no D1 database', async (context) => {
    const { expect } = context
    const pg = await PGlite.create()
    const server = new PGLiteSocketServer({ db: pg, port: 0, host: '127.0.0.1' })
    await server.start()
    context.onTestFinished(async () => {
      await server.stop()
      await pg.close()
    })
    const address = `postgresql://postgres:the-password@${server.getServerConn()}/postgres`
    const { cloudflare, project, bindings } = await prepare(context, `OPEN=true\nbeta.DATABASE_URL=${address}`)
    const { code, output } = await project.deploy(['beta'])
    expect(output).toContain('beta: applied migrations/beta/postgres/0001_init.sql\n')
    expect(output).not.toContain('the-password')
    expect(code).toBe(0)
    expect((await pg.query('SELECT * FROM b')).rows).toEqual([])
    expect(cloudflare.databases).toEqual([])
    expect(bindings('beta')).toEqual({
      OPEN: { type: 'secret_text', text: 'true' },
      DEPLOYED_NAMES: { type: 'plain_text', text: 'DATABASE_URL,OPEN' },
      DATABASE_URL: { type: 'secret_text', text: address },
    })
    expect(cloudflare.unexpectedRequests).toEqual([])
  })
})
