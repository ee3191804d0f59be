// The ports that a stack listens on.
import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'

export const host = '127.0.0.1'

/** The port, or a free one for 0; refuses one that is taken. */
export const freePort = (port: number): Promise<number> => (port === 0 ? lastingPort() : claim(port))

// No system gives these away by itself, to a listener or to the near end of a connection.
const reserved = { first: 12_000, last: 32_000 }

/** A free port that is likely free later on too: for a server that listens there after others have been told, or again. */
export async function lastingPort(): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const port = await claim(randomInt(reserved.first, reserved.last)).catch(() => undefined)
    if (port) return port
  }
  return claim(0)
}

/** Listens there for a moment. */
async function claim(port: number): Promise<number> {
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
