// Fakes of the SMS providers in tests: each checks requests by its public documentation, and replies as a test has
// planned for the key in the path.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TestProject } from 'vitest/node'
import { serve } from './server.ts'
import { http } from './sms-providers/http.ts'
import type { Answer, Protocol, Received } from './sms-providers/protocol.ts'
import { smsc } from './sms-providers/smsc.ts'
import { twilio } from './sms-providers/twilio.ts'
import { vonage } from './sms-providers/vonage.ts'
import { textOf } from './text-of.ts'

declare module 'vitest' {
  interface ProvidedContext {
    smsProvidersPort: number
  }
}

/** How a fake provider replies to a correct request. */
export interface Plan {
  /**
   * `accept` and `fail` (with `code`) reply as documented. `hold` never replies, `stall` sends half a reply and waits,
   * `endless` never stops sending. `cut` closes the connection before the reply, `half` in the middle of it. `answer`
   * sends the reply in `answer`.
   */
  does: 'accept' | 'fail' | 'hold' | 'stall' | 'endless' | 'cut' | 'half' | 'answer'
  code?: string
  /** HTTP status in place of the reply's own. */
  status?: number
  /** Headers in addition to those of the reply. */
  headers?: Record<string, string>
  /** Number of parts of a long message. */
  parts?: number
  answer?: Answer
}

/** A request that a fake provider got, with the documented rule that it breaks, if any. */
export type Seen = Received & { objection?: string }

const protocols: Record<string, Protocol> = { smsc, twilio, vonage, http }

const plans = new Map<string, Plan>()
const seen = new Map<string, Seen[]>()

async function provide(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url!, 'http://providers')
  const [, protocol = '', key = '', ...rest] = url.pathname.split('/')
  const body = await textOf(request)
  if (protocol === 'plan') return response.end(String(plans.set(key, JSON.parse(body)).size))
  if (protocol === 'seen') return response.end(JSON.stringify(seen.get(key) ?? []))
  const { method = '', headers } = request
  const received = { method, path: `/${rest.join('/')}`, search: url.search, headers: headers as Seen['headers'], body }
  const objection = protocols[protocol]!.objectionTo(received)
  seen.set(key, [...(seen.get(key) ?? []), { ...received, ...(objection && { objection }) }])
  answer(response, protocols[protocol]!, received, { does: 'accept', ...plans.get(key) }, objection)
}

function answer(
  response: ServerResponse,
  protocol: Protocol,
  request: Received,
  plan: Plan,
  objection: string | undefined,
) {
  const { errors } = protocol
  if (objection) return write(response, protocol.fail(errors.rule, request))
  if (!protocol.isKnown(request)) return write(response, protocol.fail(errors.credentials, request))
  if (plan.does === 'hold') return
  if (plan.does === 'cut') return response.destroy()
  const reply = plan.answer ?? replyOf(protocol, request, plan)
  const { status = reply.status } = plan
  const whole = { ...reply, status, headers: { ...reply.headers, ...plan.headers } }
  if (plan.does === 'endless') return writeOn(response.writeHead(200))
  if (plan.does === 'stall') return writeHalf(response, whole)
  if (plan.does === 'half') return writeHalf(response, whole, () => response.destroy())
  return write(response, whole)
}

const replyOf = (protocol: Protocol, request: Received, { does, code = '', parts = 1 }: Plan) =>
  does === 'fail' ? protocol.fail(code, request) : protocol.accept(request, parts)

const write = (response: ServerResponse, { status, headers, body }: Answer) =>
  response.writeHead(status, headers).end(body)

function writeOn(response: ServerResponse) {
  response.write('['.repeat(10_000), (error) => !error && setImmediate(() => writeOn(response)))
}

function writeHalf(response: ServerResponse, { status, headers, body }: Answer, then?: () => unknown) {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.write(body.slice(0, body.length / 2), then)
}

export default async (project: TestProject) => {
  const server = await serve(provide)
  project.provide('smsProvidersPort', server.port)
  return server.close
}
