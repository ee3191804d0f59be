// Catches a request to any other path than those of the catcher's API: masks credentials, stores the request and replies.
import { log } from '#core/http/log'
import { reply } from '#core/http/reply'
import { responseOf } from './answer.ts'
import type { Env } from './bindings.ts'
import { maskCredentials } from './credentials.ts'
import { missing } from './errors.ts'
import { partsOf, receiveRequest } from './received-request.ts'
import { renderReply } from './reply-template.ts'
import { parseReceived } from './request-view.ts'
import { anonymousSender } from './reservation.ts'
import { defaultSpace, spaceNameFor } from './spaces.ts'

/** Stores a request, logs it, and returns the reply of its space. 429 `capture_limit` if the quota is used up. */
export async function captureRequest(env: Env, request: Request): Promise<Response> {
  const received = maskCredentials(env, await receiveRequest(request))
  const space = spaceNameFor(request)
  const isNamed = space !== defaultSpace
  const sender = isNamed ? await anonymousSender(env, request, space) : undefined
  const answer = await env.SPACE.getByName(space).capture(received, sender, isNamed ? space : undefined)
  log('info', { component: 'catcher', ...parseReceived(received) })
  if (!answer) return reply({ status: true })
  const { params } = answer
  return responseOf(params ? await renderReply({ ...answer, params }, received) : answer.reply)
}

/** Throws 404 for unknown paths below `/_requests_/`, which belong to the catcher and are not captured. */
export function refuseOwnPaths(request: Request) {
  if (partsOf(request.url).path.startsWith('/_requests_/')) throw missing('route')
}
