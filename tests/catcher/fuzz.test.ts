// Sends random parameters to the catcher's API, and random requests to be caught: none may cause an internal error.
import { exports } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { catcher } from '#catcher/index'
import { fuzz } from '../support/fuzz.ts'
import { runs } from '../support/tier.ts'

// All operations except those that may wait for a minute, and `GET /_last_request_`, whose reply has no `status`, which `fuzz` checks.
const endpoints = catcher.endpoints
  .filter(({ path }) => path !== '/_last_request_')
  .map(({ params, ...endpoint }) => {
    const { wait: _, ...shape } = params?.shape ?? {}
    return { ...endpoint, params: z.object(shape) }
  })

fuzz(
  (...sent) => exports.default.fetch(...sent),
  { endpoints },
  {
    space: ['fuzz'],
    path: ['/a', '/a*'],
    method: ['GET'],
    json: [{}],
    times: [1],
    limit: [1],
    match: [{}, { path: '/a/:b' }],
    replies: [[{}]],
  },
)

const odd = fc.constantFrom(
  '%',
  '%00',
  '%ff',
  '%2e%2e',
  '..',
  '.',
  ';',
  '\\',
  "'",
  '"',
  '[',
  ']',
  '{}',
  '|',
  '^',
  '`',
  '//',
)
const target = fc
  .array(fc.oneof(odd, fc.string(), fc.string({ unit: 'binary' })), { maxLength: 6 })
  .map((parts) => parts.join('/').toWellFormed())
const tokens = fc.string({ unit: fc.constantFrom(...'abz09!#$%&*+-.^_`|~'), minLength: 1, maxLength: 20 })
const value = fc.string({ unit: fc.constantFrom(...'aZ09 "\'\\<>{}[]()=,;:%'), maxLength: 50 })
const headers = fc.array(fc.tuple(fc.oneof(tokens, fc.constantFrom('__proto__', 'host', 'x-catcher-space')), value), {
  maxLength: 10,
})
const body = fc.oneof(
  fc.uint8Array(),
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.constantFrom('[', '{"__proto__":{}}', '1e999', '['.repeat(50_000), '\ufeff{}', '\0'),
)

describe('an arbitrary request', () => {
  it('is caught, and can be read', async () => {
    const method = fc.constantFrom('POST', 'PUT', 'DELETE', 'OPTIONS', 'REPORT')
    await fc.assert(
      fc.asyncProperty(method, target, target, headers, body, async (method, path, query, headers, body) => {
        const space = crypto.randomUUID()
        const url = `http://catcher.example/x/${path.replaceAll(/[?#]/g, '')}?${query.replaceAll('#', '')}`
        const sent = new Request(url, { method, headers, body: body as BodyInit })
        sent.headers.set('x-catcher-space', space)
        const response = await exports.default.fetch(sent)
        expect([response.status, await response.json()]).toEqual([200, { status: true }])
        const read = await exports.default.fetch(`http://catcher.example/_last_request_?space=${space}`)
        expect(read.status).toBe(200)
        expect(await read.json()).toMatchObject({ method: method.toLowerCase(), path: expect.stringMatching(/^\//) })
      }),
      { numRuns: runs(300) },
    )
  })
})
