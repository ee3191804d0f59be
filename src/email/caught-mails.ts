// Reads caught mails from the mail trap, the server that stores mails on a local start without an SMTP server. Developers see
// there what would have been sent.
import type * as z from 'zod'
import type { Env } from './bindings.ts'
import { CaughtDeletion, CaughtPage, type CaughtQuery, CaughtReply } from './contract.ts'
import { failure, missing } from './errors.ts'

const requestTimeoutMs = 15_000

/** Lists the caught mails, newest first. */
export async function listCaught(env: Env, { count, ...filter }: z.output<typeof CaughtQuery>) {
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  const { nb_results, ...page } = CaughtPage.parse(await (await request(env, `/messages?${query}`)).json())
  return { ...page, ...(count && { nb_results }) }
}

/** Returns a caught mail. Throws 404 if the trap does not have it. */
export async function findCaught(env: Env, id: string) {
  const response = await request(env, `/messages/${encodeURIComponent(id)}`)
  return CaughtReply.parse(await response.json())
}

/** Returns the source of a caught mail, unchanged. Throws 404 if the trap does not have it. */
export async function readCaught(env: Env, id: string): Promise<ReadableStream | null> {
  const { body } = await request(env, `/messages/${encodeURIComponent(id)}/raw`)
  return body
}

/** Deletes all caught mails. */
export async function clearCaught(env: Env): Promise<void> {
  await request(env, '/messages', 'DELETE')
}

/** Whether this is a local start, which stores mails instead of sending them. */
export const hasTrap = ({ LOCAL, MAIL_TRAP_URL }: Env): boolean => LOCAL === 'true' && Boolean(MAIL_TRAP_URL)

/** A page of the caught mails to exactly this address. */
export async function listCaughtTo(env: Env, address: string, { offset, limit }: { offset: number; limit: number }) {
  const query = new URLSearchParams({ recipient: address, offset: String(offset), limit: String(limit) })
  const { messages, nb_results = 0 } = CaughtPage.parse(await (await request(env, `/messages?${query}`)).json())
  return { messages, hasMore: messages.length > 0 && offset + messages.length < nb_results }
}

/** Deletes the caught mails to exactly this address. Returns their number. */
export async function eraseCaughtTo(env: Env, address: string): Promise<number> {
  const query = new URLSearchParams({ recipient: address })
  const { deleted } = CaughtDeletion.parse(await (await request(env, `/messages?${query}`, 'DELETE')).json())
  return deleted
}

/** Sends a request to the mail trap. Throws 404 `route_not_found` if there is no trap because mails go to an SMTP server. */
async function request({ LOCAL, MAIL_TRAP_URL: url, MAIL_TRAP_TOKEN }: Env, path: string, method = 'GET') {
  if (LOCAL !== 'true' || !url)
    throw failure('route_not_found', 'Mails are stored only on a local start without SMTP_HOST.')
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${MAIL_TRAP_TOKEN}` },
    signal: AbortSignal.timeout(requestTimeoutMs),
  })
  if (response.status === 404) throw missing('message')
  if (response.ok) return response
  throw failure('trap_failed', `The mail trap answered with ${response.status}.`)
}
