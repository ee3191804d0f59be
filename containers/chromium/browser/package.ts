// The Chromium that an npm package carries, compressed, with the libraries that it needs besides the C library.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Executable {
  path: string
  /** Where its own libraries are, if it brought them along. */
  libraries?: string
}

/** Unpacks it, once for each version, into the folder. */
export async function unpackChromium(folder: string): Promise<Executable> {
  const whole = join(folder, `chromium-${await version()}`)
  if (!existsSync(whole)) await unpack(folder, whole)
  return { path: join(whole, 'chromium'), libraries: join(whole, 'al2023', 'lib') }
}

async function version(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  return JSON.parse(await readFile(join(entry, '../../package.json'), 'utf8')).version
}

/** It is there whole or not at all, whoever else does the same at the same time. */
async function unpack(folder: string, whole: string) {
  await mkdir(folder, { recursive: true })
  const part = await mkdtemp(join(folder, 'unpacking-'))
  try {
    // The package unpacks into the folder for temporary files, which is a process's own affair.
    const env = { PATH: process.env.PATH, TMPDIR: part }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'unpack.ts')], { env, stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('Chromium could not be unpacked')
    await rename(part, whole)
  } catch (error) {
    if (!existsSync(whole)) throw error
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}
