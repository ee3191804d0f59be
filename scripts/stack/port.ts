// Finds free ports for the servers of a stack. A process reserves a hundred ports by listening at the first of them, so that
// other processes take other ports.
import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer, type Server } from 'node:net'

export const host = '127.0.0.1'

/** Returns the port itself, or a free port for 0. Throws if the port is taken. */
export const freePort = (port: number): Promise<number> => (port === 0 ? lastingPort() : claim(port))

// Range from which ports are reserved. Operating systems assign none of them by themselves, neither to listeners nor to
// outgoing connections. A process reserves `share` ports at a time.
const reserved = { first: 12_000, last: 32_000, share: 100 }

let share: Promise<number | undefined> | undefined
let portsUsed = 0

/**
 * Returns a port that stays free for this process, for a server that starts later or listens again at the same address.
 */
export async function lastingPort(): Promise<number> {
  share ??= takeShare()
  const first = await share
  for (let tries = 1; first && tries < reserved.share; tries++) {
    const port = await claim(first + 1 + (portsUsed++ % (reserved.share - 1))).catch(() => undefined)
    if (port) return port
  }
  return claim(0)
}

/**
 * Reserves a share of the range: listens at its first port until this process ends, so that other processes take
 * another share.
 */
async function takeShare(): Promise<number | undefined> {
  const shares = (reserved.last - reserved.first) / reserved.share
  for (let tries = 0; tries < 50; tries++) {
    const port = reserved.first + reserved.share * randomInt(shares)
    const server = createServer((socket) => socket.destroy()).unref()
    if (await listening(server, port).catch(() => false)) return port
  }
  return undefined
}

/** Checks that a port is free by listening at it for a moment, and returns the port. */
async function claim(port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`PORT must be a port from 0 to 65535, got ${port}`)
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
