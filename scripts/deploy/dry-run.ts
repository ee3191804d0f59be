// Dry run of a deployment: builds all bundles and lists their sizes. Needs no network.
import { join } from 'node:path'
import { table } from '../lib/table.ts'
import type { Config, WorkerProject } from './components.ts'
import { writeConfig } from './merge.ts'
import { Stop } from './stop.ts'
import type { Wrangler } from './wrangler.ts'

/** Maximum size of a Worker on Cloudflare in bytes, before compression. */
const maxBundleBytes = 64 * 1024 * 1024

/** Builds the bundles of a deployment, two at a time, and returns a table of them. Needs no network. */
export async function dryRun(root: string, components: WorkerProject[], wrangler: Wrangler): Promise<string> {
  const rows: (string | number)[][] = []
  const failed: string[] = []
  const left = components.entries()
  const build = async () => {
    for (const [at, component] of left) {
      const { name } = component
      const config = writeConfig(root, component, { databases: {}, secrets: [], isOnPostgres: false })
      const flags = ['--dry-run', '--containers-rollout', 'none', '--outdir', join(root, '.build/deploy', name)]
      try {
        const { deployed } = await wrangler(['deploy', '-c', config, ...flags])
        const { raw_bytes, gzip_bytes } = deployed!.bundle_size
        rows[at] = [name, kilobytes(raw_bytes), kilobytes(gzip_bytes), bindingsOf(component.config).join(', ')]
        if (raw_bytes > maxBundleBytes)
          failed.push(`${name} has ${kilobytes(raw_bytes)} kB, above the limit of ${kilobytes(maxBundleBytes)} kB`)
      } catch (error) {
        if (!(error instanceof Stop)) throw error
        failed.push(`${name} does not build: ${error.message}`)
      }
    }
  }
  await Promise.all([build(), build()])
  // Sorted, because builds end in any order and the message must not depend on it.
  if (failed.length > 0) throw new Stop(failed.toSorted().join('\n'))
  return table(['component', 'kB', 'gzip kB', 'bindings'], rows)
}

const kilobytes = (bytes: number) => Math.ceil(bytes / 1000)

/** The bindings of a configuration, each as `NAME kind`. */
function bindingsOf(config: Config): string[] {
  const named = (key: string, kind: string) =>
    listOf(config[key]).map((bound) => `${bound.binding ?? bound.name} ${kind}`)
  return [
    ...named('d1_databases', 'd1'),
    ...named('r2_buckets', 'r2'),
    ...named('kv_namespaces', 'kv'),
    ...named('hyperdrive', 'hyperdrive'),
    ...listOf(config.durable_objects?.bindings).map(({ name }) => `${name} object`),
    ...named('services', 'service'),
    ...named('ratelimits', 'rate limit'),
    ...['images', 'ai', 'browser', 'assets'].flatMap((kind) =>
      listOf([config[kind] ?? {}]).flatMap(({ binding }) => (binding ? `${binding} ${kind}` : [])),
    ),
  ]
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as { binding?: string; name?: string }[]) : [])
