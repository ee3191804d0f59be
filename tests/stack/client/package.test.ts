// Tests the npm package of the API client as an application uses it: in Node, in a browser, in a Worker, and with its
// types.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pack } from '../../../scripts/client/pack.ts'
import { has } from '../../../scripts/lib/programs.ts'
import type { Stack } from '../../../scripts/stack/stack.ts'
import { serve } from '../../client/server.ts'
import { openPage, startBrowser } from '../../support/browser.ts'
import { ask } from '../http.ts'
import { start, temporary } from '../stack.ts'

const run = promisify(execFile)
const token = 'the-token-of-the-tests'

/** Folder of an application that has the package in its node_modules, and sample.ts as its code. */
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

/** Packs the client as for publication, and unpacks it into the application. */
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

/** Bundles the application into one script that begins with `entry`. */
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

/** Type-checks a file of the application for one platform. Resolves with the compiler's errors. */
async function check(file: string, kind: 'dom' | 'workers' | 'node'): Promise<string> {
  const lib = kind === 'dom' ? ['esnext', 'dom', 'dom.iterable'] : ['esnext']
  const types = { dom: [], workers: ['@cloudflare/workers-types'], node: ['node'] }[kind]
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'esnext', module: 'nodenext', skipLibCheck: kind !== 'dom' },
    ...{ exactOptionalPropertyTypes: true, lib, types },
    typeRoots: [resolve('node_modules/@types'), resolve('node_modules')],
  }
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const tsc = [resolve('node_modules/typescript/bin/tsc'), '-p', app]
  return (await run(process.execPath, tsc).catch((failed: { stdout: string }) => failed)).stdout
}

it.each(['dom', 'workers', 'node'] as const)(
  'type-checks an application with the types of %s, and rejects invalid calls',
  async (kind) => expect(await check('sample.ts', kind)).toBe(''),
)

/**
 * The TypeScript examples of a page of the docs, with the address of the test's stack. Examples that export are separate
 * modules; the rest is one script.
 */
function programsIn(file: string) {
  const text = readFileSync(file, 'utf8')
    .replaceAll(/http:\/\/localhost:8787|https:\/\/api\.example\.com/g, stack.url)
    .replaceAll(/'(a token of AUTH_TOKENS|…)'/g, `'${token}'`)
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)
  const isModule = (code: string) => code.includes('export default')
  return { script: blocks.filter((code) => !isModule(code)).join('\n'), modules: blocks.filter(isModule) }
}

it('runs the examples of its page', async () => {
  const { script, modules } = programsIn('docs/client.md')
  writeFileSync(join(app, 'guide.ts'), script)
  expect(await check('guide.ts', 'node')).toBe('')
  writeFileSync(join(app, 'guide.js'), await bundle(script))
  const { stdout } = await run(process.execPath, [join(app, 'guide.js')])
  expect(stdout.trim().split('\n')).toEqual([
    ...['true 1', 'text/plain 5 Hello true', 'true up', '200', "400 validation_failed [ 'collection' ]"],
    ...['true', 'request true object'],
  ])
  const answers: unknown[] = []
  for (const code of modules) {
    writeFileSync(join(app, 'worker.ts'), code)
    expect(await check('worker.ts', 'workers')).toBe('')
    answers.push(await inWorker(code, { API_URL: stack.url, API_TOKEN: token }))
  }
  expect(answers).toEqual([expect.arrayContaining(['default']), { components: expect.any(Array) }])
})

it('runs the example of its README', async () => {
  writeFileSync(join(app, 'readme.js'), await bundle(programsIn('src/client/README.md').script))
  expect(await run(process.execPath, [join(app, 'readme.js')])).toEqual({ stdout: '', stderr: '' })
})

/** Runs a Worker from this source, and returns its reply to a POST of this JSON. */
async function inWorker(source: string, bindings: Record<string, string>, body: unknown = {}): Promise<unknown> {
  const script = await bundle(source)
  // A function binding that calls the gateway, which runs in another runtime here. In a deployment the gateway is a
  // service binding.
  const GATEWAY = ({ url, headers }: { url: string; headers: { get(name: string): string | null } }) =>
    fetch(stack.url + new URL(url).pathname, {
      headers: { authorization: headers.get('authorization') ?? '', accept: headers.get('accept') ?? '' },
    })
  const worker = {
    ...{ name: 'app', modules: true, script, bindings, serviceBindings: { GATEWAY } },
    ...{ compatibilityDate: '2026-11-01', port: 0 },
  }
  const runtime = new Miniflare(convertV4MiniflareOptions({ workers: [worker], cf: false }))
  try {
    const reply = await runtime.dispatchFetch('http://app/', { method: 'POST', body: JSON.stringify(body) })
    return await reply.json()
  } finally {
    await runtime.dispose()
  }
}

it('works in Node', async () => {
  const script = await bundle(
    `import { use } from './sample.ts'\nconsole.log(JSON.stringify(await use(JSON.parse(process.argv[2]))))`,
  )
  writeFileSync(join(app, 'main.js'), script)
  const { stdout } = await run(process.execPath, [join(app, 'main.js'), JSON.stringify(placeOf('in_node'))])
  expect(JSON.parse(stdout)).toEqual(used)
})

it('works in a Worker', async () => {
  const source = `import { use } from './sample.ts'
    export default { fetch: async (request: Request) => Response.json(await use(await request.json())) }`
  expect(await inWorker(source, {}, placeOf('in_worker'))).toEqual(used)
})

it.skipIf(!has('chromium'))('works in a browser, on a page of another origin', async () => {
  const browser = await startBrowser()
  try {
    const tab = await openPage(browser)
    await tab.goto(page.url)
    const content = await bundle(`import { use } from './sample.ts'\nObject.assign(globalThis, { use })`)
    await tab.addScriptTag({ content, type: 'module' })
    const place = JSON.stringify(placeOf('in_browser'))
    expect(await tab.evaluate(`use(${place})`)).toEqual(used)
  } finally {
    await browser.close()
  }
})

it('sends its headers and reads its reply headers across origins', async () => {
  const requestHeaders = 'authorization, content-type, idempotency-key, last-event-id, api-secret'
  const { headers } = await ask(`${stack.url}/queue/task`, {
    method: 'OPTIONS',
    headers: {
      origin: page.url,
      'access-control-request-method': 'POST',
      'access-control-request-headers': requestHeaders,
    },
  })
  const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(/, */)
  expect(allowed).toEqual(expect.arrayContaining(requestHeaders.split(', ')))
  const reply = await ask(`${stack.url}/queue/workers`, { headers: { origin: page.url } })
  expect(String(reply.headers['access-control-expose-headers'])).toMatch(/X-Request-Id,Retry-After/)
})

it('is small', () => {
  expect(bytes).toBeLessThan(6200)
})
