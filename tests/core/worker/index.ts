// The component under test in tests/core: its endpoints use each feature of core, and it has no other code.
import { z } from 'zod'
import { defineErrors } from '#core/failure'
import { api, type CoreEnv } from '#core/http/api'
import { count, Json, JsonObject, nb_results, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { worker } from '#core/http/worker'

export { Meter } from '#core/metrics/meter'
export { IdempotencyRecord as FirstReply } from '#core/objects/idempotency-record'

interface Env extends CoreEnv {
  DOWN?: string
}

const Kinds = z.object({
  name: text(10),
  note: text(10).optional(),
  number: z.int().min(0).max(1_000).optional(),
  sum: z.number().optional(),
  flag: z.boolean().optional(),
  tags: z.array(text(5)).optional(),
  phones: z.union([z.string(), z.array(z.string())]).optional(),
  texts: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  object: JsonObject.optional(),
  data: Json.optional(),
  at: Time.optional(),
  nested: z.strictObject({ depth: z.int() }).optional(),
})

const runs = new Map<string, number>()

const { errors, failure, missing } = defineErrors({
  big_thing_not_found: { status: 404, cause: 'There is none.', remedy: 'Make one.' },
  refused: { status: 409, cause: 'Refused.', remedy: 'Ask again.' },
})

const core = api<Env, keyof typeof errors>({
  name: 'core',
  title: 'Core',
  description: 'What every component can do.',
  errors,
  probes: ({ DOWN }) => ({
    here: async () => undefined,
    ...(DOWN && { there: () => Promise.reject(new Error('It is down')) }),
  }),
})
  .post('/kinds', { summary: 'Takes every kind', params: Kinds, reply: Kinds.shape }, ({ params }) => params)
  .get('/kinds', { summary: 'Takes every kind', params: Kinds, reply: Kinds.shape }, ({ params }) => params)
  .delete('/kinds', { summary: 'Takes every kind', params: Kinds, reply: Kinds.shape }, ({ params }) => params)
  .delete('/all', { summary: 'Takes no parameters', reply: { deleted: z.boolean() } }, () => ({ deleted: true }))
  .patch(
    '/item/:id',
    {
      summary: 'Has a path',
      params: z.object({ id: z.int(), name: text(5) }),
      reply: { id: z.int(), base: z.string() },
    },
    ({ params: { id }, base }) => ({ id, base }),
  )
  .get(
    '/list',
    { summary: 'Is paged', params: z.object({ ...paging(), count }), reply: { limit: z.int(), nb_results } },
    ({ params }) => ({ limit: params.limit, ...(params.count && { nb_results: 3 }) }),
  )
  .post(
    '/form',
    { summary: 'Takes a form', params: z.object({ a: z.int() }), reply: { a: z.int() }, form: true },
    ({ params }) => params,
  )
  .post('/nothing', { summary: 'Has nothing to say', status: 201 }, () => undefined)
  .get('/open', { summary: 'Is for everybody', open: true }, () => undefined)
  .get('/page', { summary: 'Page', level: 'read', produces: 'text/html' }, () => new Response('<p>Page</p>'))
  .get(
    '/proof',
    { summary: 'Can be proven', proof: ({ url }) => url.searchParams.get('secret') === 'right' },
    () => undefined,
  )
  .post(
    '/proof',
    { summary: 'Can be proven', proof: ({ url }) => url.searchParams.get('secret') === 'right' },
    () => undefined,
  )
  .post('/open', { summary: 'Is for everybody', open: true }, () => undefined)
  .get('/unsafe', { summary: 'Is a GET that changes something', unsafe: true }, () => undefined)
  .get('/missing', { summary: 'Has none', errors: ['big_thing_not_found'] }, () => {
    throw missing('big_thing')
  })
  .get('/undeclared', { summary: 'Does not list its error' }, () => {
    throw failure('refused')
  })
  .get('/boom', { summary: 'Has a bug' }, () => {
    throw new Error('internal detail')
  })
  .post(
    '/once/:id',
    { summary: 'Runs once for each key', params: z.object({ id: z.int(), what: text(20) }), idempotent: true },
    () => undefined,
  )
  .post(
    '/once',
    {
      summary: 'Runs once for each key',
      params: z.object({ what: text(20), fail: z.string().optional() }),
      reply: { runs: z.int() },
      idempotent: true,
      errors: ['refused', 'upstream_failed', 'upstream_timeout'],
    },
    async ({ params: { what, fail } }) => {
      runs.set(what, (runs.get(what) ?? 0) + 1)
      if (fail === 'refusal') throw failure('refused')
      if (fail === 'upstream') throw failure('upstream_failed', 'Cut off')
      if (fail === 'timeout') throw failure('upstream_timeout', 'No answer')
      if (fail === 'bug') throw new Error('bug')
      return { runs: runs.get(what)! }
    },
  )
  .post(
    '/upload',
    {
      summary: 'Counts the bytes of an upload, once for each key',
      params: z.object({ what: text(20), fail: z.string().optional() }),
      reply: { bytes: z.int(), runs: z.int() },
      raw: true,
      takes: { type: 'application/octet-stream' },
      idempotent: 'from-point-of-no-return',
      errors: ['refused'],
    },
    async ({ params: { what, fail }, request, markPointOfNoReturn }) => {
      runs.set(what, (runs.get(what) ?? 0) + 1)
      const { byteLength } = await request.arrayBuffer()
      if (fail === 'early') throw failure('refused')
      await markPointOfNoReturn()
      return { bytes: byteLength, runs: runs.get(what)! }
    },
  )
  .post(
    '/committed',
    {
      summary: 'Runs once for each key, from its point of no return',
      params: z.object({ what: text(20), fail: z.string().optional() }),
      reply: { runs: z.int() },
      idempotent: 'from-point-of-no-return',
      errors: ['upstream_failed', 'upstream_timeout'],
    },
    async ({ params: { what, fail }, markPointOfNoReturn }) => {
      runs.set(what, (runs.get(what) ?? 0) + 1)
      if (fail === 'upstream') throw failure('upstream_failed', 'Not reached')
      if (fail === 'early') throw new Error('bug')
      await markPointOfNoReturn()
      await markPointOfNoReturn()
      if (fail === 'late') throw failure('upstream_timeout', 'No answer')
      if (fail === 'undone') throw failure('upstream_failed', 'Refused', { undone: true })
      return { runs: runs.get(what)! }
    },
  )

export type CoreApi = typeof core

export default worker<Env>(core)
