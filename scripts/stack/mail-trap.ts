// The SMTP server of a local start: stores emails instead of sending them, and serves them to the email component.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { host } from './port.ts'
import type { Variables } from './variables.ts'

interface MailTrapOptions {
  /** Names of the components that run. */
  components: string[]
  /** Variables of the components. If `SMTP_HOST` or `SMTP_SERVERS` is set, no trap is started and emails are really sent. */
  variables: Variables
  stateDir: string
}

interface MailTrap {
  /** Variables with the addresses of the trap, for the email component. */
  variables: Variables
  dispose(): Promise<void>
}

/**
 * Starts the trap: listens for SMTP, and for HTTP requests with a token. Loads its modules only at the first
 * connection, so that the start is fast.
 */
export async function startMailTrap({ components, variables, stateDir }: MailTrapOptions): Promise<MailTrap> {
  if (!components.includes('email') || variables.SMTP_HOST || variables.SMTP_SERVERS)
    return { variables: {}, dispose: async () => undefined }
  const token = randomBytes(32).toString('base64url')
  const folder = join(stateDir, 'mail')
  const parts = lazily(async () => {
    const [{ MailStore }, { smtpOf }, { httpApiOf }] = await Promise.all([
      import('./mail-trap/mail-store.ts'),
      import('./mail-trap/smtp.ts'),
      import('./mail-trap/http-api.ts'),
    ])
    const mailStore = new MailStore(folder)
    return { smtp: smtpOf(mailStore), httpApi: httpApiOf(mailStore, token) }
  })
  const smtp = createServer({ pauseOnConnect: true }, async (socket) => (await parts()).smtp.connect(socket.resume()))
  // Keep-alive connections do not expire, because a request that arrives while its connection is being closed would
  // fail.
  const httpApi = createHttpServer({ keepAliveTimeout: 0 }, async (request, response) =>
    (await parts()).httpApi(request, response),
  )
  const [smtpPort, doorPort] = await Promise.all([listen(smtp), listen(httpApi)])
  return {
    variables: {
      ...{ SMTP_HOST: host, SMTP_PORT: String(smtpPort), SMTP_ENCRYPTION: '', SMTP_USERNAME: '', SMTP_PASSWORD: '' },
      ...{ MAIL_TRAP_URL: `http://${host}:${doorPort}`, MAIL_TRAP_TOKEN: token },
    },
    dispose: async () => {
      await Promise.all([smtp, httpApi].map(end))
    },
  }
}

function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}

const connections = new WeakMap<Server, Set<Socket>>()

/** Listens at a free port, and resolves with it. The server does not keep the process alive. */
async function listen(server: Server): Promise<number> {
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
  })
  await once(server.listen(0, host), 'listening')
  return (server.address() as AddressInfo).port
}

async function end(server: Server) {
  for (const socket of connections.get(server) ?? []) socket.destroy()
  await new Promise((ended) => server.close(ended))
}
