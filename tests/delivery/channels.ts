// Fake email, SMS and feed components for the delivery tests. They record the messages that they get.
import type { z } from 'zod'
import { NewMail } from '#email/contract'
import { NewRecord } from '#feed/contract'
import { NewSms } from '#sms/contract'

interface SentMessage {
  to: string
  body: Record<string, string>
  /** The idempotency key of the message. */
  key: string
}

/** Decides the response to a message, so that a test can let a channel fail. If undefined, the channel accepts the message. */
type Responder = (sent: SentMessage) => Response | Promise<Response | undefined> | undefined

const reply = (status: number, content: object) => Response.json({ status: true, content }, { status })

/** An error response of a channel. */
const refuse = (status: number, status_code: string, content?: object) =>
  Response.json({ status: false, status_code, message: '', ...(content && { content }) }, { status })

/** A fake channel. Accepts only requests that the schema of the real component allows. */
function fakeChannel(
  path: string,
  contract: z.ZodObject,
  usual: () => Response,
  to: (body: { to: string[]; phones: string[]; recipient: string }) => string,
) {
  const state = {
    sent: [] as SentMessage[],
    respond: undefined as Responder | undefined,
    concurrent: 0,
    maxConcurrent: 0,
  }
  const fetch = async (url: string, init: RequestInit) => {
    if (new URL(url).pathname !== path || init.method !== 'POST') return refuse(404, 'route_not_found')
    const body = JSON.parse(init.body as string)
    const unknown = Object.keys(body).filter((name) => !(name in contract.shape))
    if (!contract.safeParse(body).success || unknown.length > 0) return refuse(400, 'validation_failed')
    const message = { to: to(body), body, key: new Headers(init.headers).get('idempotency-key') ?? '' }
    state.sent.push(message)
    state.maxConcurrent = Math.max(state.maxConcurrent, ++state.concurrent)
    try {
      return (await state.respond?.(message)) ?? usual()
    } finally {
      state.concurrent--
    }
  }
  return Object.assign(state, { fetch })
}

/** The fake channels of the tested component. */
export const fakeChannels = () => ({
  email: fakeChannel(
    '/smtp',
    NewMail,
    () => reply(201, { message_id: 'a@b', rejected: [] }),
    ({ to }) => to[0]!,
  ),
  sms: fakeChannel(
    '/sms',
    NewSms,
    () => reply(200, { messages: [{ state: 'sent' }] }),
    ({ phones }) => phones[0]!,
  ),
  feed: fakeChannel(
    '/record',
    NewRecord,
    () => reply(200, { record: { id: 1 } }),
    ({ recipient }) => recipient,
  ),
})
