import { api } from '#core/http/api'
import type { Env } from './bindings.ts'
import { captured } from './captured.ts'
import { catchRequest, refuseOwn } from './catch.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { errors, missing } from './errors.ts'
import { manifest } from './manifest.ts'
import { page } from './page.ts'
import { spaceOf } from './spaces.ts'
import { eventIdOf, followSpace } from './stream.ts'

export const catcher = api<Env, keyof typeof errors>({
  errors,
  name: 'catcher',
  title: 'Request catcher',
  description: `Catches any request to any other path, whatever its method, and answers {"status": true}, so that tests can see what a \
service under test sent. Catching needs no credentials, reading does. The header X-Catcher-Space, 1 to 64 of a-z, A-Z, 0-9, _, . and -, keeps \
tests that run at once apart: what is caught under a name is read under that name. Who can set no header, such as a webhook, names it in \
its query: ?X-Catcher-Space=orders. A space keeps its last 1000 requests, of 64 MB \
together, the oldest go first; of a body the first megabyte; all of it is forgotten after a week (CATCHER_RETENTION, in seconds) \
without a request. Each request is printed on standard output, headers and body included; a header or query value that equals a \
credential of this deployment is [masked]. Requests without credentials open at most 100 spaces per address and hour and store at most 1 GB \
in all of them, then get 429 capture_limit; the default space takes all of them.`,
  pagesPrefix: manifest.ownPaths[0],
  takesOptions: true,
  prepare: async (env) => checkConfiguration(env),
  probes: (env) => ({ space: async () => env.SPACE.getByName('default').ping() }),
})
  .get(
    '/_last_request_',
    {
      summary: 'Read the last request caught',
      description: `The reply is the request itself, with method, host, port, path, query, json, headers, body, id and created_at at its top \
level; 204 without content when there is none. With "wait" the reply comes as soon as there is a request that matches.`,
      params: wire.Awaited,
      reply: wire.CapturedRequest.shape,
      envelope: 'none',
      empty: 'There is none',
    },
    async ({ env, request, params: { space, wait, ...wanted } }) => {
      const row = await spaceOf(env, request, space).last(wanted, wait * 1000)
      return row ? captured(row) : new Response(null, { status: 204 })
    },
  )

  .delete(
    '/_last_request_',
    { summary: 'Forget all requests of a space', params: wire.InSpace },
    async ({ env, request, params }) => spaceOf(env, request, params.space).clear(),
  )

  .get(
    '/_requests_',
    {
      summary: 'List requests, the newest first',
      description: 'A page ends early where its requests are larger than 4 MB together; `has_more` tells.',
      params: wire.Listed,
      reply: wire.requestsPage,
    },
    async ({ env, request, params: { space, limit, offset, count, ...wanted } }) => {
      const { rows, has_more, nb_results } = await spaceOf(env, request, space).list(wanted, limit, offset)
      return { requests: rows.map(captured), has_more, ...(count && { nb_results }) }
    },
  )

  .delete(
    '/_requests_',
    { summary: 'Forget all requests of a space', params: wire.InSpace },
    async ({ env, request, params }) => spaceOf(env, request, params.space).clear(),
  )

  .put(
    '/_requests_/reply',
    {
      summary: 'Set what requests are answered with',
      description:
        'In place of what was set before. Requests that it is not for get the usual reply. Browsers show it sandboxed: it has `Content-Security-Policy: sandbox` and `X-Content-Type-Options: nosniff`.',
      params: wire.NewReply,
    },
    async ({ env, request, params: { space, ...reply } }) => spaceOf(env, request, space).setReply(reply),
  )

  .get(
    '/_requests_/reply',
    {
      summary: 'Read what requests are answered with',
      params: wire.InSpace,
      reply: { reply: wire.CannedReply },
      errors: ['reply_not_found'],
    },
    async ({ env, request, params }) => {
      const reply = await spaceOf(env, request, params.space).findReply()
      if (!reply) throw missing('reply')
      return { reply }
    },
  )

  .delete(
    '/_requests_/reply',
    { summary: 'Go back to the usual reply', params: wire.InSpace },
    async ({ env, request, params }) => spaceOf(env, request, params.space).removeReply(),
  )

  .get(
    '/_requests_/stream',
    {
      summary: 'Follow what is caught, as server-sent events',
      description:
        '`request` has id, created_at, method, path, query and body_size; `cleared` says that all of it is forgotten.',
      params: wire.Followed,
      produces: 'text/event-stream',
    },
    async ({ env, request, params }) =>
      followSpace(spaceOf(env, request, params.space), eventIdOf(request) ?? params.last_event_id),
  )

  .get('/_requests_/ui', { summary: 'See requests as they come', params: wire.InSpace, produces: 'text/html' }, () =>
    page(),
  )

  .get(
    '/_requests_/:id{[0-9]+}',
    {
      summary: 'Read a request',
      params: wire.ById,
      reply: { request: wire.CapturedRequest },
      errors: ['request_not_found'],
    },
    async ({ env, request, params: { space, id } }) => {
      const row = await spaceOf(env, request, space).find(id)
      if (!row) throw missing('request', { id })
      return { request: captured(row) }
    },
  )

  .otherwise(({ env, request }) => {
    refuseOwn(request)
    return catchRequest(env, request)
  })
