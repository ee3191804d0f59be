// A Postgres server that tests can stop at a certain statement, to kill the stack at that moment.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { onTestFinished } from 'vitest'
import { startPostgres } from '../../../scripts/lib/postgres-server.ts'
import { freePort } from '../../../scripts/stack/port.ts'

/** Starts a Postgres with two addresses. It runs in this process, and serves few connections at a time. */
export async function startDatabase(statement: string) {
  const pg = await PGlite.create()
  const server = new PGLiteSocketServer({ db: pg, port: await freePort(0), host: '127.0.0.1', maxConnections: 50 })
  await server.start()
  const [, pgPort] = server.getServerConn().split(':')
  onTestFinished(async () => {
    await server.stop()
    await pg.close()
  })
  return { pg, ...(await holdingProxy(Number(pgPort), statement)) }
}

/** Starts a Postgres server with two addresses, for whole stacks. Needs Debian's package. */
export async function startHeldServer(statement: string) {
  const server = await startPostgres({ settings: { max_connections: '300' } })
  onTestFinished(() => server.stop())
  return holdingProxy(Number(new URL(server.url).port), statement)
}

/**
 * Returns two addresses of a Postgres. While one of them, `held`, is on hold, it passes no traffic of a connection from a matching
 * statement on. The statement may be replaced in `state`.
 */
async function holdingProxy(pgPort: number, statement: string) {
  const state = { holds: false, isAsked: false, statement }
  const proxy = createServer((client) => {
    const upstream = connect(pgPort, '127.0.0.1')
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.on('close', () => upstream.destroy())
    upstream.pipe(client)
    let isHeld = false
    client.on('data', (chunk) => {
      isHeld ||= state.holds && chunk.includes(state.statement)
      if (isHeld) state.isAsked = true
      else upstream.write(chunk)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const address = (at: number) => `postgresql://postgres@127.0.0.1:${at}/postgres`
  return { state, held: address((proxy.address() as AddressInfo).port), direct: address(pgPort) }
}
