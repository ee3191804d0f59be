// Tests the size limit of a badge's payload. Over HTTP, the limit of the body applies before it.
import { expect, it } from 'vitest'
import { NewBadge } from '#badge/contract'
import { Failure } from '#core/failure'
import { validate } from '#core/http/validation'

const payloadOf = (payload: unknown) =>
  validate(NewBadge, { collection: 'shop', user: 'ann', name: 'a', payload }).payload

const failureOf = (payload: unknown) => {
  try {
    payloadOf(payload)
  } catch (error) {
    if (Failure.is(error)) return { status: error.status, code: error.code, errors: error.errors }
    throw error
  }
  return undefined
}

const objectOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

it('takes 1 000 000 bytes, as an object and as a string', () => {
  const largest = JSON.stringify(objectOf(1_000_000))

  expect(payloadOf(objectOf(1_000_000)) === largest).toBe(true)
  expect(payloadOf(largest) === largest).toBe(true)
})

it('counts the stored bytes of a string, without spaces between tokens', () => {
  expect(payloadOf(`{"n": ${' '.repeat(1_000_000)}1.0}`)).toBe('{"n":1.0}')
})

it.each([
  ['an object', objectOf(1_000_001)],
  ['a string', JSON.stringify(objectOf(1_000_001))],
  ['a string whose characters have 3 bytes', JSON.stringify({ a: 'あ'.repeat(400_000) })],
])('refuses a larger payload as %s', (_, payload) => {
  const errors = { payload: 'payload must be at most 1000000 bytes of JSON.' }

  expect(failureOf(payload)).toEqual({ status: 400, code: 'validation_failed', errors })
})
