import { log } from '#core/http/log'
import { reply } from '#core/http/reply'
import { give } from './answer.ts'
import type { Env } from './bindings.ts'
import { readTaken } from './captured.ts'
import { maskCredentials } from './credentials.ts'
import { missing } from './errors.ts'
import { anonymousSender } from './reservation.ts'
import { spaceNameFor, usual } from './spaces.ts'
import { partsOf, takeRequest } from './taken.ts'

/** Keeps a request, prints it, and answers as its space is set to. 429 `capture_limit` where the quota is used up. */
export async function catchRequest(env: Env, request: Request): Promise<Response> {
  const taken = maskCredentials(env, await takeRequest(request))
  const space = spaceNameFor(request)
  const sender = space === usual ? undefined : await anonymousSender(env, request, space)
  const answer = await env.SPACE.getByName(space).capture(taken, sender)
  log('info', { component: 'catcher', ...readTaken(taken) })
  return answer ? give(answer) : reply({ status: true })
}

/** Refuses the paths that are the catcher's own and lead nowhere. */
export function refuseOwn(request: Request) {
  if (partsOf(request.url).path.startsWith('/_requests_/')) throw missing('route')
}
