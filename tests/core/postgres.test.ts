// Tests the Postgres client over TCP against servers that do not answer.
import { describe, expect, inject, it } from 'vitest'
import { tcpClient } from '#core/db/tcp'

const within = { connect: 1_000, query: 1_000, end: 100 }
const at = (port: number, searchPath?: string) =>
  tcpClient({ url: `postgresql://user@127.0.0.1:${port}/db`, ...(searchPath && { searchPath }) }, within)

describe('a Postgres over TCP', () => {
  it('gets no data before TLS is established', async () => {
    const url = `postgresql://user:password@127.0.0.1:${inject('plainPostgresPort')}/db?sslmode=verify-full`
    await expect(tcpClient({ url }, within).query('SELECT 1')).rejects.toThrow('does not support SSL')
  })

  it.each(['deadPort', 'deafPort'] as const)('times out if the server accepts no connection: %s', async (port) => {
    await expect(at(inject(port)).query('SELECT 1')).rejects.toThrow('did not answer')
  })

  it.each([undefined, 'public'])('times out if the server stops reading, with the schema %s', async (schema) => {
    const statement = at(inject('deafPostgresPort'), schema).query('SELECT $1', ['x'.repeat(20_000_000)])
    await expect(statement).rejects.toThrow('timeout')
  })
})
