// Makes signatures with Russian algorithms for tests, if OpenSSL has the GOST engine.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { content, serial } from './keys.ts'

/** Names of the algorithms in OpenSSL's GOST engine, which Debian has as libengine-gost-openssl. */
const algorithms = ['gost2001', 'gost2012_256', 'gost2012_512']

/** Signs with each algorithm in a folder. Returns the files by name. */
export function makeGost(folder: string): Record<string, Buffer> {
  const run = (args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  writeFileSync(join(folder, 'content'), content)
  const made = algorithms.map((name): [string, Buffer] => {
    const key = ['-newkey', name, '-pkeyopt', 'paramset:A', '-nodes', '-keyout', 'gost.key']
    const named = ['-set_serial', `0x${serial}`, '-utf8', '-subj', '/C=RU/O=ООО "Ромашка"/CN=Иванов Иван']
    run(['req', '-x509', '-engine', 'gost', ...key, '-out', 'gost.crt', '-days', '3650', ...named])
    const signer = ['-signer', 'gost.crt', '-inkey', 'gost.key']
    run(['cms', '-sign', '-engine', 'gost', '-binary', '-outform', 'DER', '-in', 'content', '-out', 'out', ...signer])
    return [name, readFileSync(join(folder, 'out'))]
  })
  return Object.fromEntries(made)
}
