// Property tests of a component's API: whatever the parameters are, no endpoint fails with a 500.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Fetch } from './requests.ts'
import { runs } from './tier.ts'

interface Endpoint {
  method: string
  path: string
  params?: z.ZodObject
  open?: true
  level?: string
}

/** Values that have broken something somewhere before, such as NUL, lone surrogates and huge numbers. */
const nasty = fc.constantFrom<unknown>(
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  '\0',
  '\ud800',
  '😀',
  '%00',
  '%',
  "'; DROP TABLE x; --",
  '"',
  '`',
  '\\',
  '../..',
  '__proto__',
  'a'.repeat(300),
  '2026-02-30',
  '1e309',
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  Number.MAX_SAFE_INTEGER,
  1e308,
  true,
  null,
  [],
  {},
  [[]],
  { __proto__: null, constructor: 1 },
  [null],
  ['a', 1, {}],
)

const anything = fc.oneof(
  nasty,
  nasty,
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.date({ noInvalidDate: true }).map(String),
)

const known = (plausible: Record<string, unknown[]>, name: string) =>
  plausible[name]
    ? fc.oneof(fc.constantFrom(...plausible[name]), fc.constantFrom(...plausible[name]), anything)
    : anything

const bodies = (names: string[], plausible: Record<string, unknown[]>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, known(plausible, name)])), { requiredKeys: [] })

/** Generates parameters that are all valid. */
const right = (names: string[], plausible: Record<string, unknown[]>): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(names.flatMap((name) => (plausible[name] ? [[name, fc.constantFrom(...plausible[name])]] : []))),
  )

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const asQuery = (params: Record<string, unknown>) =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(textOf(value).toWellFormed())}`)
    .join('&')

/**
 * Tests every endpoint with arbitrary parameters, in the query, in the body and in both: the reply is always a success
 * or a documented error. `plausible` has values that pass validation, so that the code behind is reached.
 */
export function fuzz(
  fetch: Fetch,
  { endpoints }: { endpoints: readonly Endpoint[] },
  plausible: Record<string, unknown[]>,
  numRuns = 50,
) {
  const answers = answersOf(fetch)
  describe.each(endpoints.map((endpoint) => ({ ...endpoint, method: endpoint.method.toUpperCase() })))(
    '$method $path',
    ({ method, path, params, open, level }) => {
      const names = Object.keys(params?.shape ?? {})

      // Without a level it would need the scope `manage`.
      it.runIf(!open)('declares the level of its scope', () => expect(level).toBeDefined())

      it('never fails for any request', async () => {
        await fc.assert(
          fc.asyncProperty(
            bodies(names, plausible),
            bodies(names, plausible),
            anything,
            async (query, body, variable) => {
              const at = path.replace(/:\w+/g, encodeURIComponent(textOf(variable).toWellFormed()) || 'x')
              await answers(
                `http://component${at}?${asQuery(query)}`,
                method,
                method === 'GET' ? undefined : JSON.stringify(body),
              )
            },
          ),
          { numRuns: runs(numRuns) },
        )
      })

      it.runIf(names.length > 0)('never fails with any mix of valid and invalid values', async () => {
        const invalid = fc.tuple(fc.constantFrom(...names, 'x'), anything).map(([name, value]) => ({ [name]: value }))
        await fc.assert(
          fc.asyncProperty(right(names, plausible), invalid, async (valid, one) => {
            const params = { ...valid, ...one }
            const query = method === 'GET' ? asQuery(params) : ''
            const at = path.replace(
              /:(\w+)/g,
              (_, name) => encodeURIComponent(textOf(params[name]).toWellFormed()) || 'x',
            )
            await answers(`http://component${at}?${query}`, method, query ? undefined : JSON.stringify(params))
          }),
          { numRuns: runs(numRuns) },
        )
      })

      if (method === 'GET') return

      it('never fails for any body', async () => {
        await fc.assert(
          fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()), async (body) => {
            await answers(`http://component${path.replaceAll(':', '')}`, method, body as Uint8Array<ArrayBuffer>)
          }),
          { numRuns: runs(20) },
        )
      })
    },
  )
}

const answersOf = (fetch: Fetch) => async (url: string, method: string, body?: BodyInit) => {
  const response = await fetch(url, { method, ...(body !== undefined && { body }) })
  expect(response.status).toBeLessThan(500)
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response.body?.cancel()
  const reply = (await response.json()) as { status: boolean; status_code?: string }
  expect(reply.status).toBe(response.ok)
  if (!response.ok) expect(reply.status_code).toMatch(/^[a-z_]+$/)
}
