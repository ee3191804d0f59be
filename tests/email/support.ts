// The email component with a fake SMTP server, for the tests in this folder.
import { env } from 'cloudflare:workers'
import PostalMime, { type Email } from 'postal-mime'
import { expect, inject } from 'vitest'
import type { Env } from '#email/bindings'
import { NewMail } from '#email/contract'
import { sendMail } from '#email/mail'
import { defaultTimeouts, type SmtpTimeouts } from '#email/smtp/timeouts'
import Worker from '../../workers/email/index.ts'
import type { DnsRecord, Verdict } from '../support/dkim.ts'
import { ask, type Reply } from '../support/requests.ts'
import type { SmtpLog } from '../support/smtp-faults.ts'
import type { SmtpBehaviour, TakenMail } from '../support/smtp-server.ts'

interface Seen extends SmtpLog {
  mails: TakenMail[]
  held: number
  /** Bodies of the requests for OAuth tokens. */
  tokens: string[]
}

/** A mail that the fake server received: parsed, with its SMTP envelope, and its source byte by byte. */
interface Arrived extends Email {
  envelope: TakenMail
  source: string
}

export const letter = { subject: 'Hello', to: 'ann@example.com', text: 'How are you?' }

const pending: Promise<unknown>[] = []
const context = { waitUntil: (promise: Promise<unknown>) => pending.push(promise) } as never

export const door = () => `http://127.0.0.1:${inject('smtpPort')}`

export type Sender = Awaited<ReturnType<typeof senderTo>>

/** The email component with its own fake SMTP server, which behaves as `behaviour` says. */
export async function senderTo(behaviour: SmtpBehaviour = {}, variables: Partial<Env> = {}) {
  const made = await fetch(door(), { method: 'POST', body: JSON.stringify(behaviour) })
  const { port } = (await made.json()) as { port: number }
  const see = async (what = '') => {
    const response = await fetch(`${door()}/${port}/${what}`)
    return (await response.json()) as Seen
  }
  const arrived = async (): Promise<Arrived[]> => Promise.all((await see()).mails.map(parse))
  return {
    ...sender({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), ...variables }),
    port,
    see,
    /** The component with other variables, to the same server. */
    with: (others: Partial<Env>) =>
      sender({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), ...variables, ...others }),
    release: () => see('release'),
    /** Verifies the DKIM signatures of the received mails as a receiver does, with this record in the DNS. */
    signatures: async (record: DnsRecord) => {
      const response = await fetch(`${door()}/${port}/signatures`, { method: 'POST', body: JSON.stringify(record) })
      return (await response.json()) as Verdict[]
    },
    arrived,
    /** Sends a mail that must be accepted, and returns it as the fake server received it. */
    through: async (mail: object = {}): Promise<Arrived> => {
      const { status, json } = await sender({ SMTP_HOST: '127.0.0.1', SMTP_PORT: String(port), ...variables }).send(
        mail,
      )
      expect({ status, json }).toMatchObject({ status: 201 })
      return (await arrived()).at(-1)!
    },
  }
}

async function parse(mail: TakenMail): Promise<Arrived> {
  const raw = Buffer.from(mail.raw, 'base64')
  return { ...(await PostalMime.parse(raw)), envelope: mail, source: raw.toString('latin1') }
}

/** The email component with these environment variables. */
export function sender(variables: Partial<Env> = {}) {
  const own = { ...env, ...variables } as unknown as Env
  const worker = new Worker(context, own as never)
  const fetch = async (url: string, init?: RequestInit) => worker.fetch(new Request(url, init))
  return {
    fetch,
    ask: (method: string, path: string, params?: object) => ask(method, path, params, fetch),
    /** Sends a mail. The parameters that `mail` does not have are those of `letter`. */
    send: (mail: object = {}, key?: string): Promise<Reply> =>
      ask('POST', '/smtp', { ...letter, ...mail }, (url, { body, ...init } = {}) => {
        const length = String(Buffer.byteLength(String(body)))
        const headers = { 'content-length': length, ...(key !== undefined && { 'idempotency-key': key }) }
        return fetch(url, { ...init, body: body ?? null, headers })
      }),
    /** Sends a mail without HTTP, with other timeouts and another `markPointOfNoReturn`. */
    sendSoon: (timeouts: Partial<SmtpTimeouts>, markPointOfNoReturn = async () => {}) =>
      sendMail(own, NewMail.parse(letter), {
        messageId: (domain) => `1@${domain}`,
        markPointOfNoReturn,
        timeouts: { ...defaultTimeouts, ...timeouts },
      }),
  }
}
