// The ports that a stack listens on.
import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer, type Server } from 'node:net'

export const host = '127.0.0.1'

/** The port, or a free one for 0; refuses one that is taken. */
export const freePort = (port: number): Promise<number> => (port === 0 ? lastingPort() : claim(port))

// No system gives these away by itself, to a listener or to the near end of a connection. So many at a time are one process's.
const reserved = { first: 12_000, last: 32_000, share: 100 }

let share: Promise<number | undefined> | undefined
let given = 0

/** A free port that is free later on too: for a server that listens there after others have been told, or again. */
export async function lastingPort(): Promise<number> {
  share ??= takeShare()
  const first = await share
  for (let tries = 1; first && tries < reserved.share; tries++) {
    const port = await claim(first + 1 + (given++ % (reserved.share - 1))).catch(() => undefined)
    if (port) return port
  }
  return claim(0)
}

/** Listens at the first port of a share for as long as this process lives, so that no other takes the same one. */
async function takeShare(): Promise<number | undefined> {
  const shares = (reserved.last - reserved.first) / reserved.share
  for (let tries = 0; tries < 50; tries++) {
    const port = reserved.first + reserved.share * randomInt(shares)
    const server = createServer((socket) => socket.destroy()).unref()
    if (await listening(server, port).catch(() => false)) return port
  }
  return undefined
}

/** Listens there for a moment. */
async function claim(port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT is not a port')
  const server = createServer()
  try {
    await listening(server, port)
    return (server.address() as AddressInfo).port
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'EADDRINUSE' ? new Error(`Port ${port} is taken; set PORT to another one`) : error
  } finally {
    await new Promise((closed) => server.close(closed))
  }
}

const listening = (server: Server, port: number) =>
  new Promise<true>((resolve, reject) => server.once('error', reject).listen(port, host, () => resolve(true)))
