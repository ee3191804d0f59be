// Starts a Redis server for BullMQ, from Debian's package, in a separate folder. It writes to disk before it
// acknowledges, as our queue does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installPackages } from '../../scripts/lib/debian.ts'
import { freePort, host } from '../../scripts/stack/port.ts'

const program = '/usr/bin/redis-server'

const settings = {
  appendonly: 'yes',
  appendfsync: 'always',
  save: '',
  // BullMQ requires this setting.
  'maxmemory-policy': 'noeviction',
  // How often a second Redis checks for expired blocking reads. With the default of 10, BullMQ is up to 100 ms late,
  // and half as fast with eight daemons.
  hz: 100,
}

interface Redis {
  port: number
  stop(): Promise<void>
}

/** Starts the server on a free port, and installs the package if it is missing. */
export async function startRedis(): Promise<Redis> {
  if (!existsSync(program)) installPackages('redis-server')
  const dir = await mkdtemp(join(tmpdir(), 'quartermaster-redis-'))
  const port = await freePort(0)
  const options = Object.entries({ ...settings, port, dir, bind: host })
  const server = spawn(
    program,
    options.flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: 'ignore' },
  )
  const ended = once(server, 'exit')
  await Promise.race([answering(port), ended.then(() => Promise.reject(new Error('Redis did not start')))])
  return {
    port,
    stop: async () => {
      server.kill()
      await ended
      await rm(dir, { recursive: true })
    },
  }
}

async function answering(port: number) {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, host)
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await pause(50)
  }
  throw new Error('Redis does not answer')
}
