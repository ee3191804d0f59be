import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pack } from '../../scripts/client/pack.ts'
import type { Stack } from '../../scripts/stack/stack.ts'
import { serve } from '../client/server.ts'
import { has, pathOf } from '../support/programs.ts'
import { ask } from './http.ts'
import { start, temporary } from './stack.ts'

const run = promisify(execFile)
const token = 'the-token-of-the-tests'

/** An application with the package in its node_modules, and the sample as its code. */
const app = temporary()

let stack: Stack
let bytes: number
let page: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  page = await serve((reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'))
  ;[stack, { bytes }] = await Promise.all([
    start({ variables: { AUTH_TOKENS: token, CORS_ORIGINS: page.url } }),
    install(),
  ])
})

afterAll(async () => {
  await Promise.all([stack.dispose(), page[Symbol.asyncDispose](), rm(app, { recursive: true })])
})

/** Packs the client as it would be published, and unpacks it where the application finds it. */
async function install() {
  const packed = await pack(join(app, 'package'))
  const { stdout } = await run('npm', ['pack', '--offline', '--silent', '--pack-destination', app], {
    cwd: join(app, 'package'),
  })
  const into = join(app, 'node_modules/@quartermaster/client')
  mkdirSync(into, { recursive: true })
  await run('tar', ['-xzf', join(app, stdout.trim()), '-C', into, '--strip-components=1'])
  const sample = readFileSync('tests/stack/client/sample.ts', 'utf8')
  writeFileSync(join(app, 'sample.ts'), sample.replace('#client/index', '@quartermaster/client'))
  writeFileSync(join(app, 'package.json'), '{ "type": "module" }')
  return packed
}

/** The application as one script, which begins with `entry`. */
async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: app, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  })
  return outputFiles[0]!.text
}

const placeOf = (name: string) => ({ url: stack.url, token, name })

const used = {
  task: 'string',
  caught: ['post', { a: 'ы' }, { n: 1 }],
  event: 'request',
  records: [['a,b', '["a"]', 'ы &=?#%', '10'], 4, ['["a"]']],
  file: ['ы', 6, 'héllo', 'text/plain; charset=utf-8'],
  refusal: [404, 'task_not_found', 'string', 1],
  stranger: [401, 'unauthorized', 'string', 1],
  nobody: ['network', 1],
}

it('type-checks an application against the package, and refuses calls that are wrong', async () => {
  const lib = { dom: ['esnext', 'dom', 'dom.iterable'], workers: ['esnext'], node: ['esnext'] }
  const types = { dom: [], workers: ['@cloudflare/workers-types'], node: ['node'] }
  for (const kind of ['dom', 'workers', 'node'] as const) {
    const options = {
      ...{ strict: true, noEmit: true, target: 'esnext', module: 'nodenext', skipLibCheck: kind !== 'dom' },
      ...{ exactOptionalPropertyTypes: true, lib: lib[kind], types: types[kind] },
      typeRoots: [resolve('node_modules/@types'), resolve('node_modules')],
    }
    writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['sample.ts'] }))
    const { stdout } = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', app]).catch(
      (failed: { stdout: string }) => failed,
    )
    expect(`${kind}: ${stdout}`).toBe(`${kind}: `)
  }
})

it('works in Node', async () => {
  const script = await bundle(
    `import { use } from './sample.ts'\nconsole.log(JSON.stringify(await use(JSON.parse(process.argv[2]))))`,
  )
  writeFileSync(join(app, 'main.js'), script)
  const { stdout } = await run(process.execPath, [join(app, 'main.js'), JSON.stringify(placeOf('in_node'))])
  expect(JSON.parse(stdout)).toEqual(used)
})

it('works in a Worker', async () => {
  const script = await bundle(
    `import { use } from './sample.ts'\nexport default { fetch: async (request) => Response.json(await use(await request.json())) }`,
  )
  const worker = { name: 'app', modules: true, script, compatibilityDate: '2026-11-01', port: 0 }
  const runtime = new Miniflare(convertV4MiniflareOptions({ workers: [worker], cf: false }))
  try {
    const reply = await runtime.dispatchFetch('http://app/', {
      method: 'POST',
      body: JSON.stringify(placeOf('in_worker')),
    })
    expect(await reply.json()).toEqual(used)
  } finally {
    await runtime.dispose()
  }
})

it.skipIf(!has('chromium'))('works in a browser, on a page of another origin', async () => {
  const browser = await chromium.launch({ executablePath: pathOf('chromium')!, args: ['--no-sandbox'] })
  try {
    const tab = await browser.newPage()
    await tab.goto(page.url)
    const content = await bundle(`import { use } from './sample.ts'\nObject.assign(globalThis, { use })`)
    await tab.addScriptTag({ content, type: 'module' })
    const place = JSON.stringify(placeOf('in_browser'))
    expect(await tab.evaluate(`use(${place})`)).toEqual(used)
  } finally {
    await browser.close()
  }
})

it('may send its headers from other origins, and read those that it looks at', async () => {
  const asked = 'authorization, content-type, idempotency-key, last-event-id, api-secret'
  const { headers } = await ask(`${stack.url}/queue/task`, {
    method: 'OPTIONS',
    headers: { origin: page.url, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
  })
  const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(/, */)
  expect(allowed).toEqual(expect.arrayContaining(asked.split(', ')))
  const reply = await ask(`${stack.url}/queue/workers`, { headers: { origin: page.url } })
  expect(String(reply.headers['access-control-expose-headers'])).toMatch(/X-Request-Id,Retry-After/)
})

it('is small', () => {
  expect(bytes).toBeLessThan(6000)
})
