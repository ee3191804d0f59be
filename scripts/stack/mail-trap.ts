// Takes the mail of a stack that has no SMTP server: it goes nowhere, and can be read.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { host } from './port.ts'
import type { Variables } from './variables.ts'

interface MailTrapOptions {
  /** The names of the components that run. */
  components: string[]
  /** What the components get. With `SMTP_HOST` among it mail goes there, and there is no trap. */
  variables: Variables
  stateDir: string
}

interface MailTrap {
  /** Where components send mail, and where they find it again. */
  variables: Variables
  dispose(): Promise<void>
}

/** Listens for mail, and for who reads it, with a token. What that takes is loaded when the first one comes. */
export async function startMailTrap({ components, variables, stateDir }: MailTrapOptions): Promise<MailTrap> {
  if (!components.includes('email') || variables.SMTP_HOST) return { variables: {}, dispose: async () => undefined }
  const token = randomBytes(32).toString('base64url')
  const folder = join(stateDir, 'mail')
  const parts = lazily(async () => {
    const [{ Mailbag }, { smtpOf }, { doorOf }] = await Promise.all([
      import('./mail-trap/mailbag.ts'),
      import('./mail-trap/smtp.ts'),
      import('./mail-trap/door.ts'),
    ])
    const mailbag = new Mailbag(folder)
    return { smtp: smtpOf(mailbag), door: doorOf(mailbag, token) }
  })
  const smtp = createServer({ pauseOnConnect: true }, async (socket) => (await parts()).smtp.connect(socket.resume()))
  // It closes no idle connection by itself: a request that is just under way there would fail for no reason.
  const door = createHttpServer({ keepAliveTimeout: 0 }, async (request, response) =>
    (await parts()).door(request, response),
  )
  const [smtpPort, doorPort] = await Promise.all([listen(smtp), listen(door)])
  return {
    variables: {
      ...{ SMTP_HOST: host, SMTP_PORT: String(smtpPort), SMTP_ENCRYPTION: '', SMTP_USERNAME: '', SMTP_PASSWORD: '' },
      ...{ MAIL_TRAP_URL: `http://${host}:${doorPort}`, MAIL_TRAP_TOKEN: token },
    },
    dispose: async () => {
      await Promise.all([smtp, door].map(end))
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

/** Resolves with the port; the process need not stay for it. */
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
