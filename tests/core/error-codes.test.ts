// Tests the declaration of error codes, and the errors that an endpoint documents.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { defineErrors, type Failure, peerErrors } from '#core/failure'
import { api, type CoreEnv } from '#core/http/api'
import { errorCodesOf } from '#core/http/error-codes'
import type { Description } from '#core/http/openapi'
import { ask } from '../support/requests.ts'

const { errors, failure, missing } = defineErrors({
  shelf_full: { status: 409, cause: 'The shelf is full.', remedy: 'Empty it.' },
  book_not_found: { status: 404, cause: 'There is no such book.', remedy: 'List the books.' },
  ...peerErrors('queue'),
})

type ErrorCode = keyof typeof errors

describe('defineErrors', () => {
  it('sets the status and the cause of each code', () => {
    expect(failure('shelf_full')).toMatchObject({ status: 409, code: 'shelf_full', message: 'The shelf is full.' })
    expect(failure('payload_too_large', 'Too much')).toMatchObject({ status: 413, message: 'Too much' })
    expect(failure('queue_timeout')).toMatchObject({ status: 504 })
  })

  it('names the missing object and its key', () => {
    const messages = [missing('book'), missing('book', { id: 7 }), missing('book', { name: 'a "b"' })]
    expect(messages.map(({ message }) => message)).toEqual([
      'There is no such book.',
      'No book has the id 7.',
      'No book is named "a \\"b\\"".',
    ])
    expect(missing('book', { name: 'x'.repeat(65) }).message).toBe('There is no such book.')
  })

  it('is a compile error for another code', () => {
    // @ts-expect-error: the code is not declared
    const unknown = () => failure('shelf_empty')
    // @ts-expect-error: the object has no code that ends in `_not_found`
    const unknownObject = () => missing('shelf')
    // @ts-expect-error: an endpoint must not list an undeclared code
    const unlisted = () => api<CoreEnv, ErrorCode>(about).get('/a', { summary: 'A', errors: ['shelf_empty'] }, nothing)
    const listed = () =>
      api<CoreEnv, ErrorCode>(about).get('/a', { summary: 'A', errors: ['shelf_full', 'upstream_failed'] }, nothing)
    expect([unknown, unknownObject, unlisted, listed]).toHaveLength(4)
    expectTypeOf(failure).returns.toEqualTypeOf<Failure>()
    expectTypeOf<ErrorCode>().toEqualTypeOf<'shelf_full' | 'book_not_found' | 'queue_failed' | 'queue_timeout'>()
  })
})

const about = { name: 'shelf', title: 'Shelf', description: 'Has books.', errors }
const nothing = () => undefined

describe('errorCodesOf', () => {
  const codesOf = (declaration: object) =>
    errorCodesOf({ method: 'get', path: '/a', summary: 'A', handler: nothing, ...declaration })

  it('follows from the declaration of the endpoint', () => {
    const always = ['not_configured', 'internal_error']
    expect(codesOf({ open: true, raw: true, takesAnyAuthorization: true })).toEqual(always)
    expect(codesOf({ open: true, raw: true })).toEqual([
      ...['unauthorized', 'cross_site_request', 'unavailable'],
      ...always,
    ])
    const access = [
      'unauthorized',
      'cross_site_request',
      'insufficient_scope',
      'out_of_bounds',
      'rate_limit',
      'unavailable',
    ]
    expect(codesOf({ raw: true })).toEqual([...access, ...always])
    expect(codesOf({ level: 'any' })).not.toContain('insufficient_scope')
    expect(codesOf({ adds: true })).toContain('database_full')
    expect(codesOf({ idempotent: true })).toEqual(
      expect.arrayContaining(['idempotency_key_reused', 'idempotency_key_in_use', 'outcome_unknown']),
    )
    expect(codesOf({ errors: ['shelf_full'] })).toContain('shelf_full')
  })
})

describe('an error', () => {
  const shelf = api<CoreEnv, ErrorCode>(about).post(
    '/book',
    { summary: 'Add a book', idempotent: true, errors: ['shelf_full'] },
    () => {
      throw failure('shelf_full')
    },
  )
  const read = (path: string, init?: RequestInit, prefix = '') =>
    shelf.fetch(
      new Request(`http://host${path}`, { ...init, headers: { 'x-forwarded-prefix': prefix, 'x-request-id': 'r1' } }),
      { OPEN: 'true' },
      createExecutionContext(),
    )

  it('has the path of its explanation and the request id', async () => {
    const response = await read('/book', { method: 'POST' }, '/shelf')
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { status_code: 'shelf_full', request_id: 'r1', docs: '/shelf/_docs#error-shelf_full' },
    ])
    const page = await (await read('/_docs')).text()
    expect(page).toMatch(/id="error-shelf_full".*The shelf is full\..*Empty it\./)
    expect(page).toContain('href="#error-shelf_full"')
    const { docs } = (await (await read('/nowhere')).json()) as { docs: string }
    expect(page).toContain(`id="${docs.split('#')[1]}"`)
  })

  it('is described by its status, with the codes as an enum', async () => {
    const { paths, components } = (await (await read('/_openapi.json')).json()) as Description
    const { 409: conflict, ...others } = paths['/book']!.post!.responses
    const name = 'shelf.idempotency_key_in_use.idempotency_key_reused.shelf_full'
    expect(conflict!.$ref).toBe(`#/components/responses/${name}`)
    expect(components.responses![name]).toMatchObject({
      description: expect.stringContaining('`shelf_full`: The shelf is full. Empty it.'),
      content: {
        'application/json': {
          schema: {
            allOf: [
              { $ref: '#/components/schemas/Refusal' },
              {
                properties: { status_code: { enum: expect.arrayContaining(['shelf_full', 'idempotency_key_reused']) } },
              },
            ],
          },
        },
      },
    })
    expect(Object.keys(others)).toEqual(['200', '400', '401', '403', '413', '429', '500', '503', '504'])
  })
})

describe('an error that the endpoint does not declare', () => {
  it('fails in tests, with its code', async () => {
    expect(await ask('GET', '/undeclared')).toMatchObject({
      status: 500,
      json: { status_code: 'internal_error', message: expect.stringMatching(/^GET \/undeclared .* refused, /) },
    })
  })

  it('is returned unchanged in production', async () => {
    Object.assign(env, { STRICT_ERRORS: 'false' })
    try {
      expect(await ask('GET', '/undeclared')).toMatchObject({ status: 409, json: { status_code: 'refused' } })
    } finally {
      Object.assign(env, { STRICT_ERRORS: 'true' })
    }
  })
})
