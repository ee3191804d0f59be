// Tests that connections to Postgres use TLS and verify the certificate, in components and in migrations.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket } from 'node:tls'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freePort } from '../../../scripts/stack/port.ts'
import { migratePostgres } from '../../../scripts/stack/postgres.ts'
import { authority } from '../../support/certificates.ts'

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

// An address that reaches this machine but is no loopback address, so that TLS is required.
const host = '0.0.0.0'

let folder: string
let pg: PGlite
let behind: PGLiteSocketServer
let port: number
/** The first bytes that each client sent before any reply: a request for TLS, or data in the clear. */
const first: Buffer[] = []
let answer: 'S' | 'N' = 'S'

const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (data) => {
    first.push(data)
    if (!data.equals(sslRequest) || answer === 'N') return void socket.end('N')
    socket.write('S')
    void terminate(socket)
  })
})

let secureContext: ReturnType<typeof createSecureContext>

/** Terminates TLS, and passes the decrypted bytes on to Postgres. */
function terminate(socket: Socket) {
  const secure = new TLSSocket(socket, { isServer: true, secureContext })
  const inner = connect(behind.getServerConn().split(':').map(Number)[1]!, '127.0.0.1')
  for (const end of [secure, inner]) end.on('error', () => undefined)
  secure.pipe(inner).pipe(secure)
}

beforeAll(async () => {
  secureContext = createSecureContext(await (await authority()).certify(host))
  pg = await PGlite.create()
  behind = new PGLiteSocketServer({ db: pg, port: await freePort(0), host: '127.0.0.1' })
  await behind.start()
  await new Promise<void>((listening) => server.listen(0, host, listening))
  port = (server.address() as AddressInfo).port
})

afterAll(async () => {
  server.close()
  await behind.stop()
  await pg.close()
})

beforeEach(() => {
  first.length = 0
  answer = 'S'
  folder = mkdtempSync(join(tmpdir(), 'quartermaster-tls-'))
  mkdirSync(join(folder, 'one/postgres'), { recursive: true })
  writeFileSync(join(folder, 'one/postgres/0001_init.sql'), 'CREATE TABLE IF NOT EXISTS a (x text)')
  return () => rmSync(folder, { recursive: true })
})

const parts = () => ({
  PG_HOST: host,
  PG_PORT: String(port),
  PG_DATABASE: 'postgres',
  PG_USER: 'postgres',
  PG_PASSWORD: 'the-password',
})

const migrate = (more: Record<string, string> = {}) => migratePostgres(['one'], { ...parts(), ...more }, folder)

it('sends only the request for TLS to a server without TLS', async () => {
  answer = 'N'
  await expect(migrate()).rejects.toThrow('does not support SSL')
  expect(first).toEqual([sslRequest])
})

it('rejects a certificate that cannot be verified', async () => {
  await expect(migrate()).rejects.toThrow(/certificate/)
  expect(first).toEqual([sslRequest])
})

it('migrates over TLS, and accepts any certificate with PG_SSLMODE=no-verify', async () => {
  expect(await migrate({ PG_SSLMODE: 'no-verify' })).toHaveLength(1)
  expect(first).toEqual([sslRequest])
  expect((await pg.query('SELECT * FROM a')).rows).toEqual([])
})

it('encrypts the connection to PG_REAL_HOST although PG_HOST is local', async () => {
  answer = 'N'
  const PG_REAL_HOST = `${host}:${port}`
  await expect(migrate({ PG_HOST: '127.0.0.1', PG_PORT: '1', PG_REAL_HOST })).rejects.toThrow('does not support SSL')
  expect(first).toEqual([sslRequest])
})

it('does not encrypt with PG_SSLMODE=disable', async () => {
  await expect(migrate({ PG_SSLMODE: 'disable' })).rejects.toThrow()
  expect(first[0]!.toString()).toContain('postgres')
})
