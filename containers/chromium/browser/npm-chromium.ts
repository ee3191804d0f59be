// Unpacks the compressed Chromium of the npm package @sparticuz/chromium, with the shared libraries that it needs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Executable {
  path: string
  /** Folder of the shared libraries that the browser needs, if it has any. */
  libraries?: string
}

/** Unpacks Chromium into the folder, once per version. */
export async function unpackChromium(folder: string): Promise<Executable> {
  const target = join(folder, `chromium-${await version()}`)
  if (!existsSync(target)) await unpack(folder, target)
  return { path: join(target, 'chromium'), libraries: join(target, 'al2023', 'lib') }
}

async function version(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  return JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8')).version
}

/** Unpacks atomically, by renaming a temporary folder: concurrent processes and crashes leave no partial copy. */
async function unpack(folder: string, target: string) {
  await mkdir(folder, { recursive: true })
  const part = await mkdtemp(join(folder, 'unpacking-'))
  try {
    // A separate process unpacks the package, since the package unpacks into TMPDIR, which would change for the whole
    // server.
    const env = { PATH: process.env.PATH, TMPDIR: part }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'unpack.ts')], { env, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('The Chromium of @sparticuz/chromium could not be unpacked')
    await rename(part, target)
  } catch (error) {
    if (!existsSync(target)) throw error
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}
