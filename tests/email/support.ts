import { env } from 'cloudflare:workers'
import PostalMime, { type Email } from 'postal-mime'
import { inject } from 'vitest'
import type { Env } from '#email/env'
import Worker from '../../workers/email/index.ts'
import { ask, type Reply } from '../support/requests.ts'
import type { Heard } from '../support/smtp-faults.ts'
import type { SmtpBehaviour, TakenMail } from '../support/smtp-server.ts'

export interface Seen extends Heard {
  mails: TakenMail[]
  held: number
}

const pending: Promise<unknown>[] = []
const context = { waitUntil: (promise: Promise<unknown>) => pending.push(promise) } as never

/** The sender of mail with an SMTP server of its own, which behaves like that. */
export type Sender = Awaited<ReturnType<typeof senderTo>>

export async function senderTo(behaviour: SmtpBehaviour = {}, variables: Partial<Env> = {}) {
  const door = `http://127.0.0.1:${inject('smtpPort')}`
  const made = await fetch(door, { method: 'POST', body: JSON.stringify(behaviour) })
  const { port } = (await made.json()) as { port: number }
  return { ...sender({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), ...variables }), ...serverAt(door, port) }
}

function serverAt(door: string, port: number) {
  const see = async (what = '') => {
    const response = await fetch(`${door}/${port}/${what}`)
    return (await response.json()) as Seen
  }
  return {
    see,
    release: () => see('release'),
    /** What has arrived, parsed. */
    arrived: async (): Promise<(Email & { envelope: TakenMail; source: string })[]> =>
      Promise.all((await see()).mails.map(parse)),
  }
}

async function parse(mail: TakenMail) {
  const raw = Buffer.from(mail.raw, 'base64')
  return { ...(await PostalMime.parse(raw)), envelope: mail, source: raw.toString('latin1') }
}

/** The sender of mail with these variables. */
export function sender(variables: Partial<Env> = {}) {
  const worker = new Worker(context, { ...env, ...variables } as never)
  const fetch = async (url: string, init?: RequestInit) => worker.fetch(new Request(url, init))
  return {
    fetch,
    ask: (method: string, path: string, params?: object) => ask(method, path, params, fetch),
    /** Sends a mail that needs no more than what is said of it. */
    send: (mail: object = {}, key?: string): Promise<Reply> =>
      ask('POST', '/smtp', { ...letter, ...mail }, (url, init) =>
        fetch(url, { ...init, ...(key !== undefined && { headers: { 'idempotency-key': key } }) }),
      ),
  }
}

export const letter = { subject: 'Hello', to: 'ann@example.com', text: 'How are you?' }
