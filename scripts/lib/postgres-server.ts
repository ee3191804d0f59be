// Starts a temporary Postgres server for tests, from Debian's package, in a separate folder.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../stack/port.ts'
import { installPackages } from './debian.ts'

export interface Server {
  url: string
  stop(): void
}

/**
 * Starts a Postgres server on a free port, and installs Debian's package if it is missing. Postgres refuses to run as
 * root, so another user runs it. Commits wait for the disk only with `durable`, since tests need no durability.
 */
export async function startPostgres({
  durable = false,
  settings = {} as Record<string, string>,
} = {}): Promise<Server> {
  const bin = programs() ?? install()
  const folder = mkdtempSync(join(tmpdir(), 'quartermaster-postgres-'))
  const isRoot = userInfo().uid === 0
  if (isRoot) chownSync(folder, idOf('-u'), idOf('-g'))
  const as = (program: string, ...settings: string[]): [string, string[]] =>
    isRoot ? ['runuser', ['-u', 'postgres', '--', join(bin, program), ...settings]] : [join(bin, program), settings]
  const data = join(folder, 'data')
  execFileSync(...as('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'), {
    cwd: '/',
  })
  const port = String(await freePort(0))
  const options = Object.entries({ fsync: durable ? 'on' : 'off', ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const server = spawn(...as('postgres', '-D', data, '-p', port, '-k', folder, ...options), {
    cwd: '/',
    stdio: 'ignore',
  })
  const ready = () =>
    execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', port, '-t', '30'], { stdio: 'ignore' })
  await until(ready, () => server.exitCode !== null)
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      execFileSync(...as('pg_ctl', 'stop', '-D', data, '-m', 'immediate'), { cwd: '/', stdio: 'ignore' })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whether Postgres is installed. */
export const hasPostgres = () => programs() !== undefined

const programs = () => {
  const [newest] = globSync('/usr/lib/postgresql/*/bin/initdb').sort().reverse()
  return newest?.replace(/\/initdb$/, '')
}

function install(): string {
  installPackages('postgresql')
  const installed = programs()
  if (!installed) throw new Error('Postgres did not install')
  return installed
}

const idOf = (kind: '-u' | '-g') => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }))

async function until(attempt: () => void, isOver: () => boolean) {
  for (let tries = 0; tries < 100; tries++) {
    if (isOver()) throw new Error('Postgres did not start')
    try {
      return attempt()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('Postgres did not answer')
}
