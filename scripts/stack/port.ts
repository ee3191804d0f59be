// The port that a stack listens on.
import { type AddressInfo, createServer } from 'node:net'

export const host = '127.0.0.1'

/** The port, or a free one for 0; refuses one that is taken. */
export async function freePort(port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT is not a port')
  const server = createServer()
  try {
    await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, host, listening))
    return (server.address() as AddressInfo).port
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE' ? new Error(`Port ${port} is taken; set PORT to another one`) : error
  } finally {
    await new Promise((closed) => server.close(closed))
  }
}
