// Tests how the ids of an account are merged into a Worker's configuration.
import { expect, test } from 'vitest'
import type { Config } from '../../scripts/deploy/components.ts'
import { mergeConfig } from '../../scripts/deploy/merge.ts'

const merge = (config: Partial<Config>, more = {}) =>
  mergeConfig(
    { name: 'feed', ...config },
    {
      from: 'workers/feed',
      to: '.deploy/config',
      databases: { feed: 'the-id' },
      secrets: ['KEY'],
      isOnPostgres: false,
      isFile: (path) => path === 'workers/feed/Dockerfile',
      ...more,
    },
  )

const database = { binding: 'DB', database_name: 'feed', migrations_dir: '../../migrations/feed/d1' }

test('adds the ids of databases, and rewrites paths for the new folder', () => {
  const merged = merge({ main: 'index.ts', d1_databases: [database], assets: { directory: './public', binding: 'A' } })
  expect(merged).toEqual({
    name: 'feed',
    main: '../../workers/feed/index.ts',
    d1_databases: [{ ...database, database_id: 'the-id' }],
    assets: { directory: '../../workers/feed/public', binding: 'A' },
  })
})

test('starts a path below its own folder with a dot', () => {
  expect(merge({ main: 'src/index.ts' }, { from: '.', to: '.' }).main).toBe('./src/index.ts')
})

test('leaves a database without an id unchanged', () => {
  expect(merge({ d1_databases: [database] }, { databases: {} }).d1_databases).toEqual([database])
})

test('rewrites the path of a Dockerfile, and not an image of a registry', () => {
  const { containers } = merge({ containers: [{ image: './Dockerfile' }, { image: 'registry.example.com/a:1' }, {}] })
  expect(containers).toEqual([{ image: '../../workers/feed/Dockerfile' }, { image: 'registry.example.com/a:1' }, {}])
})

test('drops variables of the secrets file, and D1 if Postgres is used', () => {
  const merged = merge({ vars: { KEY: '1', MODE: '2' }, d1_databases: [database] }, { isOnPostgres: true })
  expect(merged.vars).toEqual({ MODE: '2' })
  expect(merged).not.toHaveProperty('d1_databases')
})

test('always removes query strings from logs', () => {
  const merged = merge({ observability: { enabled: true, redact_query_string: false } })
  expect(merged.observability).toEqual({ enabled: true, redact_query_string: true })
})

test('samples logs at the rate of the deployment, and by default at that of the configuration', () => {
  const sampled = (observability: Config['observability'], samplingRate: number | undefined) =>
    merge({ ...(observability && { observability }) }, { samplingRate }).observability
  expect(sampled({ enabled: true }, 0.1)).toMatchObject({ enabled: true, head_sampling_rate: 0.1 })
  expect(sampled({ enabled: true, head_sampling_rate: 0.5 }, 0)).toMatchObject({ head_sampling_rate: 0 })
  expect(sampled({ enabled: true, head_sampling_rate: 0.5 }, undefined)).toMatchObject({ head_sampling_rate: 0.5 })
  expect(sampled({ enabled: true }, undefined)).not.toHaveProperty('head_sampling_rate')
  expect(sampled(undefined, 0.1)).toBeUndefined()
})

test('keeps unknown fields', () => {
  const hyperdrive = [{ binding: 'HYPERDRIVE', id: 'of-the-user' }]
  expect(merge({ hyperdrive })).toMatchObject({ hyperdrive })
})
