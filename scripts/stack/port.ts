// Finds free ports for the servers of a stack, and reserves them for this process.
import { randomInt } from 'node:crypto'
import { type AddressInfo, createServer, type Server } from 'node:net'

export const host = '127.0.0.1'

/** The port itself, or a free port for 0. Throws if the port is taken. */
export const freePort = (port: number): Promise<number> => (port === 0 ? lastingPort() : claim(port))

// No operating system assigns these ports itself, neither to listeners nor to outgoing connections. A process reserves `share`
// of them at a time.
const reserved = { first: 12_000, last: 32_000, share: 100 }

let share: Promise<number | undefined> | undefined
let portsUsed = 0

/** A free port that stays free for this process, for a server that starts later or listens again. */
export async function lastingPort(): Promise<number> {
  share ??= takeShare()
  const first = await share
  for (let tries = 1; first && tries < reserved.share; tries++) {
    const port = await claim(first + 1 + (portsUsed++ % (reserved.share - 1))).catch(() => undefined)
    if (port) return port
  }
  return claim(0)
}

/** Reserves a share: listens at its first port until this process ends. */
async function takeShare(): Promise<number | undefined> {
  const shares = (reserved.last - reserved.first) / reserved.share
  for (let tries = 0; tries < 50; tries++) {
    const port = reserved.first + reserved.share * randomInt(shares)
    const server = createServer((socket) => socket.destroy()).unref()
    if (await listening(server, port).catch(() => false)) return port
  }
  return undefined
}

/** Listens at the port for a moment, to check that it is free. */
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
