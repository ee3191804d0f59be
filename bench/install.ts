// Installs the dependencies of bench/package.json (peers and their clients), which the repository itself does not have.
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { promisify } from 'node:util'

const lockFile = 'bench/package-lock.json'
/** File that npm writes at the end of an installation. Its age shows whether the installation is up to date. */
const installedFile = 'bench/node_modules/.package-lock.json'

const installTimeoutMs = 5 * 60_000

/** Runs `npm ci` in `bench` unless the installation is newer than the lock file. */
export async function installPeers(): Promise<void> {
  if (existsSync(installedFile) && statSync(installedFile).mtimeMs >= statSync(lockFile).mtimeMs) return
  const options = ['--prefix', 'bench', '--no-audit', '--no-fund', '--loglevel', 'error']
  await promisify(execFile)('npm', ['ci', ...options], { timeout: installTimeoutMs })
}
