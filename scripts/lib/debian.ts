import { execFileSync } from 'node:child_process'
import { userInfo } from 'node:os'

/** Installs Debian packages that tests need, as root or with sudo. */
export function installPackages(...names: string[]) {
  if (names.length === 0) return
  const settings = { stdio: 'inherit' as const, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const [first, ...rest] = userInfo().uid === 0 ? ['apt-get'] : ['sudo', 'apt-get']
  execFileSync(first!, [...rest, 'update', '-qq'], settings)
  execFileSync(first!, [...rest, 'install', '-y', '-qq', '--no-install-recommends', ...names], settings)
}
