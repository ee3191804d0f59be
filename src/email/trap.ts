import type * as z from 'zod'
import type { Env } from './bindings.ts'
import { CaughtPage, CaughtReply, type Listed } from './contract.ts'
import { failure, missing } from './errors.ts'

const patience = 15_000

/** The mails that were caught, the newest first. */
export async function listCaught(env: Env, { count, ...wanted }: z.output<typeof Listed>) {
  const query = new URLSearchParams(Object.entries(wanted).map(([name, value]) => [name, String(value)]))
  const { nb_results, ...page } = CaughtPage.parse(await (await ask(env, `/messages?${query}`)).json())
  return { ...page, ...(count && { nb_results }) }
}

/** One of them. */
export async function findCaught(env: Env, id: string) {
  const response = await ask(env, `/messages/${encodeURIComponent(id)}`)
  return CaughtReply.parse(await response.json())
}

/** One of them, byte by byte as it came. */
export async function readCaught(env: Env, id: string): Promise<ReadableStream | null> {
  const { body } = await ask(env, `/messages/${encodeURIComponent(id)}/raw`)
  return body
}

/** Forgets all of them. */
export async function clearCaught(env: Env): Promise<void> {
  await ask(env, '/messages', 'DELETE')
}

/** Asks the trap; where mail goes elsewhere, as it does deployed, there is no such thing. */
async function ask({ LOCAL, MAIL_TRAP_URL: url, MAIL_TRAP_TOKEN }: Env, path: string, method = 'GET') {
  if (LOCAL !== 'true' || !url)
    throw failure('route_not_found', 'Mails are kept only on a local start without SMTP_HOST.')
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${MAIL_TRAP_TOKEN}` },
    signal: AbortSignal.timeout(patience),
  })
  if (response.status === 404) throw missing('message')
  if (response.ok) return response
  throw failure('trap_failed', `The mail trap answered with ${response.status}.`)
}
