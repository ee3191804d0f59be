// The small project that tests of the deployment deploy: alpha binds beta, the gateway binds both, and a container has
// an image to build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The wrangler configuration of a Worker, in TOML. */
export const worker = (name: string, rest: string) => `
name = "${name}"
main = "index.ts"
compatibility_date = "2026-11-01"
workers_dev = false
[observability]
enabled = true
${rest}`

const database = (name: string) => `
[[d1_databases]]
binding = "DB"
database_name = "${name}"
migrations_dir = "../../migrations/${name}/d1"
`

const service = (name: string) => `
[[services]]
binding = "${name.toUpperCase()}"
service = "${name}"
`

const files: Record<string, string> = {
  'wrangler.toml': `
name = "gateway"
main = "src/index.ts"
compatibility_date = "2026-11-01"
workers_dev = true
${service('alpha')}${service('beta')}
[triggers]
crons = ["* * * * *"]
[assets]
directory = "public"
binding = "ASSETS"
run_worker_first = true
`,
  'public/index.html': '<!doctype html><title>A page</title>',
  'package.json': '{ "dependencies": { "a-package": "1.0.0" } }',
  'node_modules/a-package/package.json': '{ "name": "a-package", "version": "1.0.0" }',
  'src/index.ts': 'export default { fetch: () => new Response("gateway"), scheduled() {} }',
  'workers/alpha/wrangler.toml': worker(
    'alpha',
    `
[vars]
MODE = "plain"
LEVEL = "of the configuration"
${database('alpha')}${service('beta')}
[[r2_buckets]]
binding = "FILES"
bucket_name = "alpha-files"
[[durable_objects.bindings]]
name = "THING"
class_name = "Thing"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["Thing"]
`,
  ),
  'workers/alpha/index.ts': `
import { DurableObject } from 'cloudflare:workers'
export class Thing extends DurableObject {}
export interface Env {
  AUTH_TOKENS?: string
  OPEN?: string
  OTP_SECRET?: string
}
export default { fetch: () => new Response('alpha') }
`,
  'workers/beta/wrangler.toml': worker('beta', database('beta')),
  'workers/beta/index.ts': `
import type { Access } from '../../src/core/access.ts'
export interface Env extends Access {
  ALLOW_PRIVATE_TARGETS?: string
  DATABASE_URL?: string
}
export default { fetch: () => new Response("beta") }
`,
  'src/core/access.ts': 'export interface Access {\n  AUTH_TOKENS?: string\n  OPEN?: string\n}',
  'migrations/alpha/d1/0001_init.sql': 'CREATE TABLE a (id integer);\nCREATE TABLE aa (id integer);\n',
  'migrations/alpha/d1/0002_more.sql': 'ALTER TABLE a ADD COLUMN name text;\n',
  'migrations/beta/d1/0001_init.sql': 'CREATE TABLE b (id integer);\n',
  'migrations/beta/postgres/0001_init.sql': 'CREATE TABLE b (id bigint);\n',
}

/** Files of one more component, a container whose image must be built with Docker. */
export const container: Record<string, string> = {
  'containers/box/wrangler.toml': worker(
    'box',
    `
[[containers]]
class_name = "Box"
image = "./Dockerfile"
[[durable_objects.bindings]]
name = "BOX"
class_name = "Box"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["Box"]
`,
  ),
  'containers/box/index.ts': `
import { DurableObject } from 'cloudflare:workers'
export class Box extends DurableObject {}
export default { fetch: () => new Response('box') }
`,
  'containers/box/Dockerfile': 'FROM scratch\n',
}

const script = resolve('scripts/deploy.ts')

/** Writes the project into a temporary folder. `env` is the whole environment of its deployments. */
export function writeProject(env: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'project-'))
  const write = (more: Record<string, string>) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
  write(files)

  let running: number | undefined
  return {
    root,
    write,
    /** Runs `npm run deploy` with these arguments, and returns its output and exit code. */
    async deploy(args: string[] = [], more: Record<string, string> = {}) {
      const child = spawn(process.execPath, [script, ...args], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: join(root, 'home'), TMPDIR: root, ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      running = child.pid
      let output = ''
      const keep = (text: string) => {
        output += text
      }
      child.stdout.setEncoding('utf8').on('data', keep)
      child.stderr.setEncoding('utf8').on('data', keep)
      const [code] = await once(child, 'close')
      running = undefined
      return { code, output, lines: output.split('\n').filter((line) => line && !line.includes('Proxy environment')) }
    },
    /** Ends the running deployment and its children, as a terminal (`SIGINT`) or a power failure (`SIGKILL`) would. */
    stop: (signal: 'SIGINT' | 'SIGKILL') => running && process.kill(-running, signal),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}
