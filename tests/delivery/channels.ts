import type { z } from 'zod'
import { NewMail } from '#email/contract'
import { NewRecord } from '#feed/contract'
import { NewSms } from '#sms/contract'

interface Sent {
  to: string
  body: Record<string, string>
  /** The idempotency key. */
  key: string
}

/** What a channel does with a message; nothing for what it usually does. */
type Manner = (sent: Sent) => Response | Promise<Response | undefined> | undefined

const reply = (status: number, content: object) => Response.json({ status: true, content }, { status })

/** A refusal of a channel. */
const refuse = (status: number, status_code: string, content?: object) =>
  Response.json({ status: false, status_code, message: '', ...(content && { content }) }, { status })

/** Stands in for one channel: takes what its own contract allows, and nothing else. */
function standIn(
  path: string,
  contract: z.ZodObject,
  usual: () => Response,
  to: (body: { to: string[]; phones: string[]; recipient: string }) => string,
) {
  const state = { sent: [] as Sent[], manner: undefined as Manner | undefined, open: 0, most: 0 }
  const fetch = async (url: string, init: RequestInit) => {
    if (new URL(url).pathname !== path || init.method !== 'POST') return refuse(404, 'route_not_found')
    const body = JSON.parse(init.body as string)
    const unknown = Object.keys(body).filter((name) => !(name in contract.shape))
    if (!contract.safeParse(body).success || unknown.length > 0) return refuse(400, 'validation_failed')
    const one = { to: to(body), body, key: new Headers(init.headers).get('idempotency-key') ?? '' }
    state.sent.push(one)
    state.most = Math.max(state.most, ++state.open)
    try {
      return (await state.manner?.(one)) ?? usual()
    } finally {
      state.open--
    }
  }
  return Object.assign(state, { fetch })
}

/** What a delivery sends by. */
export const standInChannels = () => ({
  email: standIn(
    '/smtp',
    NewMail,
    () => reply(201, { message_id: 'a@b', rejected: [] }),
    ({ to }) => to[0]!,
  ),
  sms: standIn(
    '/sms',
    NewSms,
    () => reply(200, { messages: [{ state: 'sent' }] }),
    ({ phones }) => phones[0]!,
  ),
  feed: standIn(
    '/record',
    NewRecord,
    () => reply(200, { record: { id: 1 } }),
    ({ recipient }) => recipient,
  ),
})
