// The HTTP API of the catcher: declares the endpoints that read spaces, and catches requests to all other paths.
import * as z from 'zod'
import { validityOf } from '#core/access/still-valid'
import { api } from '#core/http/api'
import type { Env } from './bindings.ts'
import { captureRequest, refuseOwnPaths } from './capture.ts'
import * as stubWire from './contract/stubs.ts'
import { VerificationParams, VerificationResult } from './contract/verification.ts'
import * as wire from './contract.ts'
import { checkConfiguration } from './env.ts'
import { errors, missing } from './errors.ts'
import { manifest } from './manifest.ts'
import { viewOf } from './request-view.ts'
import { spaceHeader, spaceOf } from './spaces.ts'
import { eventIdOf, followSpace } from './stream.ts'
import { checkStub } from './stub-check.ts'

export const catcher = api<Env, keyof typeof errors>({
  errors,
  name: 'catcher',
  title: 'Request catcher',
  description: `Catches any request to any other path, with any method, and replies {"status": true}, so that tests can see the requests of a \
service under test. Catching needs no credentials; reading does. The header X-Catcher-Space (1 to 64 of a-z, A-Z, 0-9, _, . and -) keeps \
concurrent tests apart: requests that are caught in a space are read from that space. A sender that cannot set a header, such as a webhook, \
names the space in the query: ?X-Catcher-Space=orders. A space keeps its last 1000 requests, at most 64 MB, and deletes the oldest \
first. Only the first megabyte of a body is kept. A request is deleted after a week (CATCHER_RETENTION, in seconds), and a space after the same time without a request. \
Each request is printed on standard output with its headers and body; a header or query value that equals a credential of this \
deployment is [masked]. Requests without credentials open at most 100 spaces per IP address and hour, and store at most 1 GB in all \
spaces, then get 429 capture_limit. The default space accepts all requests. A client address may send 600 requests a minute, then it \
gets 429 rate_limit; a local start has no limit.`,
  pagesPrefix: manifest.ownPaths[0],
  takesOptions: { preflightsBelow: manifest.ownPaths },
  requestHeaders: ['Last-Event-ID', spaceHeader],
  prepare: async (env) => checkConfiguration(env),
  probes: (env) => ({ space: async () => env.SPACE.getByName('default').ping() }),
})
  .get(
    '/_last_request_',
    {
      level: 'read',
      summary: 'Get the last caught request',
      description: `Returns the newest request that matches method and path, with its fields at the top level of the reply (no envelope). 204 \
without content if none matches. With "wait" the reply comes as soon as a request matches.`,
      params: wire.LastRequest,
      reply: wire.CapturedRequest.shape,
      envelope: 'none',
      empty: 'No request matches',
    },
    async ({ env, request, params: { space, wait, ...filter } }) => {
      const row = await spaceOf(env, request, space).last(filter, wait * 1000)
      return row ? viewOf(row) : new Response(null, { status: 204 })
    },
  )

  .delete(
    '/_last_request_',
    {
      level: 'manage',
      summary: 'Delete all requests of a space',
      description: 'The same as `DELETE /_requests_`: deletes all caught requests. The canned reply stays.',
      params: wire.InSpace,
    },
    async ({ env, request, params }) => spaceOf(env, request, params.space).clear(),
  )

  .get(
    '/_requests_',
    {
      level: 'read',
      summary: 'List caught requests',
      description:
        'Lists the requests of a space that match method and path, the newest first. A page ends early at 4 MB; `has_more` says whether more follow.',
      params: wire.Listing,
      reply: wire.requestsPage,
    },
    async ({ env, request, params: { space, limit, offset, count, ...filter } }) => {
      const { rows, has_more, nb_results } = await spaceOf(env, request, space).list(filter, limit, offset)
      return { requests: rows.map(viewOf), has_more, ...(count && { nb_results }) }
    },
  )

  .delete(
    '/_requests_',
    {
      level: 'manage',
      summary: 'Delete all requests of a space',
      description:
        'Deletes all caught requests of the space. Open streams get the event `cleared`. The canned reply stays.',
      params: wire.InSpace,
    },
    async ({ env, request, params }) => spaceOf(env, request, params.space).clear(),
  )

  .post(
    '/_requests_/stubs',
    {
      level: 'write',
      summary: 'Create a stub',
      description:
        'Adds a stub to a space: requests that are caught there and match it get its replies, or are forwarded to a URL. Of the stubs that match, the one with the greatest priority answers; of equal ones, the newest. Without a match, requests get the default reply. Browsers show the replies sandboxed, as canned replies. A space has at most 100 stubs, with 4 000 000 characters of JSON together.',
      params: stubWire.NewStub,
      reply: { stub: stubWire.StubCreated.describe('The new stub') },
      status: 201,
      errors: ['stub_limit'],
    },
    async ({ env, request, params: { space, ...stub } }) => {
      checkStub(env, stub)
      return { stub: { id: await spaceOf(env, request, space).addStub(stub) } }
    },
  )

  .get(
    '/_requests_/stubs',
    {
      level: 'read',
      summary: 'List stubs',
      description:
        'Lists all stubs of a space, at most 100, in the order in which they are tried. The canned reply of `PUT /_requests_/reply` is one of them.',
      params: wire.InSpace,
      reply: { stubs: z.array(stubWire.Stub).describe('The stubs, those that are tried first at the beginning') },
    },
    async ({ env, request, params }) => ({ stubs: await spaceOf(env, request, params.space).listStubs() }),
  )

  .delete(
    '/_requests_/stubs',
    {
      level: 'write',
      summary: 'Delete stubs',
      description:
        'Deletes one stub of a space by its id, or all stubs without an id. Caught requests stay. 404 `stub_not_found` if the space has no stub with the id.',
      params: stubWire.StubSelection,
      errors: ['stub_not_found'],
    },
    async ({ env, request, params: { space, id } }) => {
      const isFound = await spaceOf(env, request, space).removeStubs(id)
      if (!isFound) throw missing('stub', { id: id! })
    },
  )

  .getOrPost(
    '/_requests_/verify',
    {
      level: 'read',
      summary: 'Verify caught requests',
      description:
        'Counts the stored requests of a space that match, and says whether the number is between `at_least` and `at_most`. If too few match, `nearest` has the most similar other requests with the conditions that they do not fulfil. With `wait` the reply comes as soon as there are enough. In the query of a GET, `match` is a JSON object.',
      params: VerificationParams,
      reply: VerificationResult.shape,
    },
    async ({ env, request, params: { space, match, wait, ...expectation } }) =>
      spaceOf(env, request, space).verify(match, expectation, wait * 1000),
  )

  .put(
    '/_requests_/reply',
    {
      level: 'write',
      summary: 'Set the reply to caught requests',
      description:
        'Sets the canned reply of a space, which requests that are caught there get instead of `{"status": true}`, and replaces all stubs of the space, the previous canned reply included. Requests with another method or path than it names, and requests after `times` of them, get the default reply. Browsers show the canned reply sandboxed: it has `Content-Security-Policy: sandbox` and `X-Content-Type-Options: nosniff`.',
      params: stubWire.NewReply,
    },
    async ({ env, request, params: { space, ...reply } }) => spaceOf(env, request, space).setReply(reply),
  )

  .get(
    '/_requests_/reply',
    {
      level: 'read',
      summary: 'Get the reply to caught requests',
      description:
        'Returns the canned reply of a space, with the number of requests that it will still answer. A reply that is used up is still returned, with `remaining` 0; 404 `reply_not_found` only if none is set.',
      params: wire.InSpace,
      reply: { reply: stubWire.CannedReply.describe('The canned reply of the space') },
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
    {
      level: 'write',
      summary: 'Delete the reply to caught requests',
      description:
        'Deletes the canned reply. Requests get the default reply again, unless another stub of the space matches. No effect if no reply is set.',
      params: wire.InSpace,
    },
    async ({ env, request, params }) => spaceOf(env, request, params.space).removeReply(),
  )

  .get(
    '/_requests_/stream',
    {
      level: 'read',
      summary: 'Stream caught requests as server-sent events',
      description:
        'The event `request` has the id, created_at, method, path, query and body_size of a new request as JSON; its full content is at `GET /_requests_/{id}`. The event `response` has the id of a forwarded request whose response was recorded, with `status` and `error`. The event `cleared` says that all requests were deleted. A client that reconnects with `Last-Event-ID` gets the requests that it missed. The stream ends when the credentials that opened it expire, and at most 45 seconds after their key is deleted or its secret ends.',
      params: wire.StreamStart,
      produces: 'text/event-stream',
      tokenInQuery: true,
    },
    async ({ env, request, params, credential }) =>
      followSpace(
        env,
        spaceOf(env, request, params.space),
        eventIdOf(request) ?? params.last_event_id,
        validityOf(credential!),
      ),
  )

  .get(
    '/_requests_/ui',
    {
      level: 'read',
      summary: 'Open the page of a space in the console',
      description:
        'Where the console is on, the gateway redirects this path to the page of the space in the console, which shows requests as they arrive. Elsewhere it redirects to the list of requests.',
      params: wire.InSpace,
      produces: 'text/html',
      replies: { 302: { description: 'Redirect to the list of requests', headers: { location: 'URL of the list' } } },
    },
    ({ params: { space } }) => {
      const query = space === undefined ? '' : `?${new URLSearchParams({ space })}`
      return new Response(null, { status: 302, headers: { location: `../_requests_${query}` } })
    },
  )

  .get(
    '/_requests_/:id{[0-9]+}',
    {
      level: 'read',
      summary: 'Get a caught request',
      description:
        'Returns one request of a space by its id. 404 `request_not_found` if the space has none with this id, or deleted it to make room for newer ones.',
      params: wire.ById,
      reply: { request: wire.CapturedRequest.describe('The caught request') },
      errors: ['request_not_found'],
    },
    async ({ env, request, params: { space, id } }) => {
      const row = await spaceOf(env, request, space).find(id)
      if (!row) throw missing('request', { id })
      return { request: viewOf(row) }
    },
  )

  .otherwise(
    ({ env, request, ctx }) => {
      refuseOwnPaths(request)
      return captureRequest(env, request, ctx)
    },
    { addressLimit: true },
  )
