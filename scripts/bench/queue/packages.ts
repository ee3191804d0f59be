// What the peers come from: npm packages that the repository itself does not depend on, in a folder of their own.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const folder = resolve('.build/peers')

/** ioredis is what BullMQ is developed with; the others were the newest. */
export const versions = { bullmq: '6.7.0', ioredis: '5.11.1', 'graphile-worker': '0.18.0', undici: '8.12.4' }

/** Installs those that are not there yet. */
export async function installPackages() {
  const missing = Object.entries(versions).filter(([name, version]) => installed(name) !== version)
  if (missing.length === 0) return
  const specs = Object.entries(versions).map(([name, version]) => `${name}@${version}`)
  const settings = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error']
  await promisify(execFile)('npm', ['install', ...settings, ...specs])
}

function installed(name: string): string | undefined {
  const file = join(folder, 'node_modules', name, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined
}

/** One of them; its types are not there when this is compiled, so the caller says what it uses. */
export async function load<T>(name: keyof typeof versions): Promise<T> {
  return (await import(createRequire(join(folder, 'index.js')).resolve(name))) as T
}
