// Tests the disk cache of the Workers' bundles, by which `npm start` and tests need not bundle again.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundle } from '../../scripts/stack/bundle.ts'
import { BundleCache } from '../../scripts/stack/bundle-cache.ts'

let root: string
let cache: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'quartermaster-bundles-'))
  cache = join(root, 'cache')
  write('index.ts', `import { greeting } from './greeting.ts'\nexport default { fetch: () => new Response(greeting) }`)
  write('greeting.ts', `export const greeting: string = 'hello'`)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (file: string, text: string) => writeFileSync(join(root, file), text)

const worker = (name: string) => ({ name, config: '', main: join(root, 'index.ts') })

/**
 * Builds a bundle. Waits before until the files are older than the tolerance for the kernel's clock, so that the bundle
 * is stored.
 */
async function built(name = 'greeter', main = 'index.ts'): Promise<string> {
  const ages = () => readdirSync(root).map((file) => Date.now() - statSync(join(root, file)).ctimeMs)
  await expect.poll(() => Math.min(...ages())).toBeGreaterThan(50)
  const bundles = await bundle([{ ...worker(name), main: join(root, main) }], cache)
  return String(bundles.get(name)!.modules[0]!.contents)
}

const bundles = () => readdirSync(cache).sort()

it('reads a bundle from the cache when no input changed', async () => {
  expect(await built()).toContain('"hello"')
  const [folder] = bundles()
  const file = join(cache, folder!, 'greeter/index.js')
  writeFileSync(file, 'from the cache')
  expect(await built()).toBe('from the cache')
})

it('builds again when an imported file changes, and finds the first bundle when the change is undone', async () => {
  await built()
  const first = bundles()
  write('greeting.ts', `export const greeting: string = 'salam'`)
  expect(await built()).toContain('"salam"')
  expect(bundles()).toHaveLength(2)
  write('greeting.ts', `export const greeting: string = 'hello'`)
  expect(await built()).toContain('"hello"')
  expect(bundles()).toHaveLength(2)
  expect(bundles()).toEqual(expect.arrayContaining(first))
})

it('builds again when an imported file is removed', async () => {
  await built()
  rmSync(join(root, 'greeting.ts'))
  await expect(built()).rejects.toThrow('Could not resolve "./greeting.ts"')
})

it('keeps Workers of one name with different main modules apart', async () => {
  write('other.ts', `export default { fetch: () => new Response('another') }`)
  expect(await built()).toContain('"hello"')
  expect(await built('greeter', 'other.ts')).toContain('"another"')
  expect(await built()).toContain('"hello"')
})

it('keeps Workers of equal contents apart', async () => {
  await built('one')
  await built('one-more')
  expect(bundles().map((name) => name.replace(/-[0-9a-f]{16}$/, ''))).toEqual(['one', 'one-more'])
})

it('keeps the four bundles of a Worker that were used last', async () => {
  for (const text of ['a', 'b', 'c', 'd', 'a', 'e']) {
    write('greeting.ts', `export const greeting: string = '${text}'`)
    await built()
  }
  const kept = bundles().map(
    (folder) => /greeting = "(\w)"/.exec(readFileSync(join(cache, folder, 'greeter/index.js'), 'utf8'))![1],
  )
  expect(kept.sort()).toEqual(['a', 'c', 'd', 'e'])
})

it('is shared by processes that build at the same time', async () => {
  write(
    'build.ts',
    `import { bundle } from '${join(import.meta.dirname, '../../scripts/stack/bundle.ts')}'
    const bundles = await bundle([${JSON.stringify(worker('greeter'))}], ${JSON.stringify(cache)})
    console.log(bundles.get('greeter').modules[0].contents.includes('"hello"'))`,
  )
  const run = async () => (await promisify(execFile)(process.execPath, [join(root, 'build.ts')])).stdout
  expect(await Promise.all(Array.from({ length: 4 }, run))).toEqual(Array(4).fill('true\n'))
  expect(bundles()).toHaveLength(1)
})

it('does not find a bundle whose input changed during the build', async () => {
  const file = join(root, 'greeting.ts')
  const outputs = [{ path: 'index.js', contents: new Uint8Array(Buffer.from('built from the old contents')) }]
  const during = new BundleCache(cache)
  write('greeting.ts', 'the new contents')
  await during.write('greeter', join(root, 'index.ts'), [file], outputs)
  expect(await new BundleCache(cache).read('greeter', join(root, 'index.ts'))).toBeUndefined()
})
