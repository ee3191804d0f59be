import { missing } from '#core/failure'
import { log } from '#core/http/log'
import { reply } from '#core/http/reply'
import { give } from './answer.ts'
import { readTaken } from './captured.ts'
import type { Env } from './env.ts'
import { spaceFor } from './spaces.ts'
import { partsOf, takeRequest } from './taken.ts'

/** Keeps a request, prints it, and answers as its space is set to. */
export async function catchRequest(env: Env, request: Request): Promise<Response> {
  const taken = await takeRequest(request)
  const answer = await spaceFor(env, request).capture(taken)
  log('info', { component: 'catcher', ...readTaken(taken) })
  return answer ? give(answer) : reply({ status: true })
}

/** Refuses the paths that are the catcher's own and lead nowhere. */
export function refuseOwn(request: Request) {
  if (partsOf(request.url).path.startsWith('/_requests_/')) throw missing('route')
}
