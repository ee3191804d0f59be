// Catches a request to any other path than those of the catcher's API: masks credentials, stores the request and replies.
import { Failure } from '#core/failure'
import { log } from '#core/http/log'
import { reply } from '#core/http/reply'
import { responseOf } from './answer.ts'
import type { Env } from './bindings.ts'
import { maskCredentials } from './credentials.ts'
import { missing } from './errors.ts'
import { forwardRequest, recorded, recordedFailure } from './forward.ts'
import type { RecordedResponse } from './history.ts'
import { headersOf, partsOf, type ReceivedRequest, receiveRequest } from './received-request.ts'
import { isBodyless, sandboxed } from './reply-headers.ts'
import { renderReply } from './reply-template.ts'
import { parseReceived } from './request-view.ts'
import { anonymousSender } from './reservation.ts'
import { defaultSpace, spaceNameFor } from './spaces.ts'
import type { StubAnswer } from './stubs.ts'

/** Stores a request, logs it, and returns the reply of its space. 429 `capture_limit` if the quota is used up. */
export async function captureRequest(env: Env, request: Request, ctx: ExecutionContext): Promise<Response> {
  const received = maskCredentials(env, await receiveRequest(request))
  const space = spaceNameFor(request)
  const isNamed = space !== defaultSpace
  const sender = isNamed ? await anonymousSender(env, request, space) : undefined
  const answer = await env.SPACE.getByName(space).capture(received, sender, isNamed ? space : undefined)
  log('info', { component: 'catcher', ...parseReceived(received) })
  if (!answer) return reply({ status: true })
  if ('reply' in answer) return replyTo(received, answer)
  const record = (response: RecordedResponse) => env.SPACE.getByName(space).recordResponse(answer.id, response, sender)
  const forwarded = forward(env, { received, url: answer.forward, record })
  // The response is also recorded if the sender does not wait for it.
  ctx.waitUntil(forwarded.catch(() => undefined))
  return forwarded
}

const replyTo = async (received: ReceivedRequest, { reply, params }: Extract<StubAnswer, { reply: object }>) =>
  responseOf(params ? await renderReply({ reply, params }, received) : reply)

interface Forwarding {
  received: ReceivedRequest
  url: string
  record: (response: RecordedResponse) => Promise<void>
}

/** Forwards a request, records the response or the failure, and returns the response. */
async function forward(env: Env, { received, url, record }: Forwarding): Promise<Response> {
  const begin = Date.now()
  try {
    const response = await forwardRequest(env, url, received)
    await ignoringQuota(record(recorded(env, response, Date.now() - begin)))
    const { 'content-encoding': _, ...sent } = headersOf(response.headers)
    return new Response(isBodyless(response.status) || received.method === 'head' ? null : response.body, {
      status: response.status,
      headers: sandboxed(sent),
    })
  } catch (error) {
    if (Failure.is(error)) await ignoringQuota(record(recordedFailure(error, Date.now() - begin)))
    throw error
  }
}

/** A response that the quota has no room for is not recorded, but its sender gets it. */
const ignoringQuota = (recording: Promise<void>) =>
  recording.catch((error: unknown) => {
    if (!Failure.is(error)) throw error
  })

/** Throws 404 for unknown paths below `/_requests_/`, which belong to the catcher and are not captured. */
export function refuseOwnPaths(request: Request) {
  if (partsOf(request.url).path.startsWith('/_requests_/')) throw missing('route')
}
