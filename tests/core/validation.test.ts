// Tests the messages about invalid parameters.
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Failure, invalid } from '#core/failure'
import { JsonObject, paging, text } from '#core/http/fields'
import { Time } from '#core/http/time'
import { validate } from '#core/http/validation'
import { harmless } from '#core/http/validation-messages'

const Params = z.object({
  ...paging(),
  name: text(255).default('a'),
  pin: z.string().length(4).optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
  color: harmless(z.enum(['red', 'blue'])).optional(),
  age: z.int().optional(),
  share: z.number().positive().lt(1).optional(),
  step: z.number().multipleOf(5).optional(),
  days: z.number().min(1).optional(),
  flag: z.boolean().optional(),
  tags: z.array(text(5)).min(1).max(2).optional(),
  key: z.uuid().optional(),
  at: Time.optional(),
  object: JsonObject.optional(),
  phones: z.union([text(5), z.array(text(5))]).optional(),
  map: z.record(z.string().regex(/^[a-z]+$/), z.int()).optional(),
  code: z.string().regex(/^\d+$/, 'Must be digits').optional(),
  slug: z.string().regex(/^\w+$/).optional(),
  nested: z.strictObject({ depth: z.int().max(3) }).optional(),
})

function errorsOf(params: object): Record<string, string> {
  try {
    validate(Params, params)
  } catch (error) {
    if (Failure.is(error) && error.errors) return error.errors
    throw error
  }
  return {}
}

describe('a message about a parameter', () => {
  it.each([
    ['limit', 5_000, 'limit must be between 1 and 1000, got 5000.'],
    ['offset', -1, 'offset must be at least 0, got -1.'],
    ['limit', 'many', 'limit must be a whole number between 1 and 1000, got "many".'],
    ['limit', 1.5, 'limit must be a whole number between 1 and 1000, got 1.5.'],
    ['name', 'x'.repeat(256), 'name must be at most 255 characters long.'],
    ['name', 'a\0', 'name must not contain NUL or lone surrogates.'],
    ['pin', '12', 'pin must be exactly 4 characters long.'],
    ['order', 'up', 'order must be one of "asc", "desc".'],
    ['color', 'green', 'color must be one of "red", "blue", got "green".'],
    ['age', '12', 'age must be a whole number.'],
    ['age', null, 'age must not be null.'],
    ['share', 0, 'share must be above 0 and below 1.'],
    ['days', 0, 'days must be at least 1.'],
    ['days', true, 'days must be a number of at least 1.'],
    ['step', 7, 'step must be a multiple of 5.'],
    ['flag', 'yes', 'flag must be true or false.'],
    ['tags', [], 'tags must have at least 1 item.'],
    ['tags', ['a', 'b', 'c'], 'tags must have at most 2 items.'],
    ['key', 'secret', 'key must be a UUID.'],
    ['at', 'soon', 'at must be a time: YYYY-MM-DD HH:MM:SS in UTC, a date, or ISO 8601.'],
    ['object', [], 'object must be a JSON object.'],
    ['phones', 7, 'phones must be a string or an array.'],
    ['phones', '123456', 'phones must be at most 5 characters long.'],
    ['map', { A: 1 }, 'map.A must have only names in the documented format.'],
    ['map', { a: 'x' }, 'map.a must be a whole number.'],
    ['code', 'x1', 'code must be digits.'],
    ['slug', '-', 'slug must be in the documented format.'],
    ['nested', { depth: 4 }, 'nested.depth must be at most 3.'],
    ['nested', {}, 'nested.depth is required.'],
    ['nested', { depth: 1, dept: 1 }, 'Unknown parameter "dept". Did you mean "depth"?'],
  ])('names the parameter and the allowed values: %s %j', (name, value, message) => {
    expect(Object.values(errorsOf({ [name]: value }))).toEqual([message])
  })

  it('names the invalid item of a list', () => {
    expect(errorsOf({ tags: ['a', 'secret'] })).toEqual({ 'tags.1': 'tags.1 must be at most 5 characters long.' })
    expect(errorsOf({ phones: ['a', 'secret'] })).toEqual({ 'phones.1': 'phones.1 must be at most 5 characters long.' })
  })

  it('is in the message of the reply too', () => {
    expect(() => validate(Params, { age: 'a', days: 0 })).toThrow(
      'age must be a whole number. days must be at least 1.',
    )
    expect(() => validate(z.object({ a: z.int() }), [])).toThrow('body must be a JSON object.')
  })

  it('gets the name of the parameter if it has none', () => {
    const messages = ['Must be above 0', 'Is required: see below', 'Line 1 is wrong', 'Use a min below max.']
    expect(messages.map((message) => invalid('min', message).message)).toEqual([
      'min must be above 0.',
      'min is required: see below.',
      'min: Line 1 is wrong.',
      'Use a min below max.',
    ])
  })
})
