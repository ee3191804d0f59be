// A Postgres server that tests can stop at a certain statement, to kill the stack at that moment.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../scripts/stack/port.ts'

/**
 * Starts a Postgres with two addresses. While one of them is on hold, it passes no traffic from a matching statement
 * on.
 */
export async function startDatabase(statement: string) {
  const pg = await PGlite.create()
  const server = new PGLiteSocketServer({ db: pg, port: await freePort(0), host: '127.0.0.1', maxConnections: 50 })
  await server.start()
  const [, pgPort] = server.getServerConn().split(':')
  const state = { holds: false, isAsked: false }
  const proxy = createServer((client) => {
    const upstream = connect(Number(pgPort), '127.0.0.1')
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
    client.on('close', () => upstream.destroy())
    upstream.pipe(client)
    let isHeld = false
    client.on('data', (chunk) => {
      isHeld ||= state.holds && chunk.includes(statement)
      if (isHeld) state.isAsked = true
      else upstream.write(chunk)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(async () => {
    proxy.close()
    await server.stop()
    await pg.close()
  })
  const address = (at: number | string) => `postgresql://postgres@127.0.0.1:${at}/postgres`
  return { pg, state, held: address((proxy.address() as AddressInfo).port), direct: address(pgPort!) }
}
