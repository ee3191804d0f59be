// Lists the SMTP servers with their state, and pauses, resumes and probes them.
import { invalid } from '#core/failure'
import type { Env } from '../bindings.ts'
import type { Outlet } from '../contract/outlets.ts'
import { missing } from '../errors.ts'
import { withToken } from '../oauth.ts'
import { serversOf } from '../servers.ts'
import { domainOf, senderOf } from '../settings.ts'
import type { SmtpServer } from '../smtp/server.ts'
import { objectsOf } from './objects.ts'
import type { SmtpOutlet } from './smtp-outlet.ts'

type ObjectView = Awaited<ReturnType<SmtpOutlet['view']>>

/** Lists the configured servers, in the order of the configuration. */
export const listOutlets = async (env: Env): Promise<Outlet[]> =>
  Promise.all(serversOf(env).map((server) => readOutlet(env, server)))

/** Pauses or resumes a server. Throws 404 if none has this name. */
export async function setOutletPaused(env: Env, name: string, isPaused: boolean): Promise<Outlet> {
  const server = findServer(env, name)
  await Promise.all(stubsOf(env, server).map((stub) => stub.setPaused(isPaused)))
  return readOutlet(env, server)
}

/** Connects to a server and logs in, and closes its circuit if that succeeds. Throws 404 if none has this name. */
export async function probeOutlet(env: Env, name: string): Promise<Outlet> {
  const server = findServer(env, name)
  const clientName = domainOf(senderOf(env))
  // Without a token the server rejects the login, which is then the last error.
  const ready = await withToken(env, server).catch(() => ({ ...server, credentials: { user: '', token: '' } }))
  await Promise.all(stubsOf(env, server).map((stub) => stub.probe(ready, clientName)))
  return readOutlet(env, server)
}

function findServer(env: Env, name: string): SmtpServer {
  const server = serversOf(env).find((one) => one.name === name)
  if (!server) throw missing('outlet', { name })
  if (server.connections === 0) throw invalid('name', 'must be a server with kept connections: its `connections` is 0')
  return server
}

const stubsOf = ({ OUTLET }: Env, server: SmtpServer) => objectsOf(server).map((name) => OUTLET.getByName(name))

async function readOutlet(env: Env, server: SmtpServer): Promise<Outlet> {
  const views: ObjectView[] = await Promise.all(stubsOf(env, server).map(async (stub) => stub.view()))
  const { name, host, port, weight, connections: max_connections } = server
  const circuits = views.map(({ circuit }) => circuit)
  const retryAfterMs = Math.min(...circuits.map((circuit) => circuit.retryAfterMs))
  return {
    ...{ name, host, port, weight, max_connections },
    circuit: (['open', 'half_open'] as const).find((state) => circuits.some((one) => one.state === state)) ?? 'closed',
    paused: views.some(({ isPaused }) => isPaused),
    failures: Math.max(0, ...circuits.map(({ failures }) => failures)),
    retry_after: Number.isFinite(retryAfterMs) ? Math.ceil(retryAfterMs / 1_000) : 0,
    rate: rateOf(views),
    waiting: sum(views.map(({ waiting }) => waiting)),
    connections: sum(views.map(({ connections }) => connections)),
    last_error: lastErrorOf(views),
  }
}

/** The rate of all objects of a server together, null unless all have one. */
function rateOf(views: ObjectView[]): number | null {
  const rates = views.map(({ rate }) => rate).filter((rate) => rate !== null)
  return rates.length > 0 && rates.length === views.length ? sum(rates) : null
}

function lastErrorOf(views: ObjectView[]): Outlet['last_error'] {
  const errors = views.map(({ lastError }) => lastError).filter((error) => error !== null)
  const last = errors.toSorted((one, other) => other.at - one.at)[0]
  return last ? { step: last.step, code: last.code, enhanced: last.enhanced, created_at: new Date(last.at) } : null
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
