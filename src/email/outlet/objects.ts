// Names of the durable objects of an SMTP server.
import type { SmtpServer } from '../smtp/server.ts'

/** An object holds at most this many connections: the platform allows six that are being opened or in use. */
const maxConnectionsOfObject = 6

/** The names of a server's durable objects. */
export const objectsOf = ({ name, host, port, connections }: SmtpServer): string[] =>
  Array.from(
    { length: Math.ceil(connections / maxConnectionsOfObject) },
    (_, shard) => `${name}/${host}:${port}#${shard}`,
  )
