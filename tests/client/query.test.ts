import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { table } from '#client/api/index'
import { toQuery } from '#client/query'
import { merge } from '#core/http/params'
import { callsIn } from '../../scripts/client/document.ts'
import type { JsonSchema } from '../../scripts/client/types.ts'

const gets = callsIn(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).filter(({ method }) => method === 'get')

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map((value) => value.toWellFormed()),
  fc.constantFrom('', '10', '-0', '1e5', 'true', '0', 'null', 'a,b', '[]', '["a"]', ' {"a":1}', '[', '{}', '"a"'),
  fc.constantFrom('a&b=c', '%2F', '+', ' ', '\n', '😀', 'ы', 'a[]', '__proto__'),
)

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21, 1e300, 1e-7, 0.1, -5),
)

/** Anything that a parameter may be, as far as the document says. */
function anythingOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(anythingOf))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => anythingOf({ type })))
  switch (schema.type) {
    case 'string':
      return words
    case 'integer':
      return fc.maxSafeInteger()
    case 'number':
      return number
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(anythingOf(schema.items!), { maxLength: 5 })
    case 'object':
      return fc.dictionary(words, fc.jsonValue(), { maxKeys: 3 })
    default:
      throw new Error(`A query cannot say what is of any type: ${JSON.stringify(schema)}`)
  }
}

/** A number that may be text too is text in a query. */
const takesBoth = ({ anyOf = [], type }: JsonSchema) => {
  const types = [...anyOf.map((option) => option.type), ...(Array.isArray(type) ? type : [])]
  return types.includes('string') && (types.includes('integer') || types.includes('number'))
}

describe.each(gets)('$name', ({ name, params, path }) => {
  const fields = Object.entries(params.properties ?? {}).filter(([field]) => !path.includes(`{${field}}`))

  it('reads a query like the same body', () => {
    const { shape } = z.fromJSONSchema({
      type: 'object',
      properties: Object.fromEntries(fields),
      required: (params.required ?? []).filter((field) => !path.includes(`{${field}}`)),
    } as never) as z.ZodObject
    const arbitraryParams = fc.record(
      Object.fromEntries(fields.map(([field, schema]) => [field, fc.option(anythingOf(schema))])),
      {
        requiredKeys: [],
      },
    )
    fc.assert(
      fc.property(arbitraryParams, (sampleParams) => {
        const query = new URLSearchParams(toQuery(sampleParams, table.lists[name]))
        const read = merge(shape, query, {}, {})
        const expected = merge(shape, new URLSearchParams(), JSON.parse(JSON.stringify(sampleParams)), {})
        for (const [field, schema] of fields) {
          if (takesBoth(schema) && typeof expected[field] === 'number')
            expect(Number(read[field])).toBe(expected[field])
          else if (name in table.lists && table.lists[name]!.includes(field))
            expect([read[field]].flat()).toEqual([expected[field]].flat())
          else expect(read[field]).toEqual(expected[field])
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a query', () => {
  it('omits null and undefined', () => {
    expect(toQuery({ a: undefined, b: null })).toBe('')
  })

  it('is refused before it is sent if it is longer than 16 kB', () => {
    expect(() => toQuery({ a: 'a'.repeat(16_384) })).toThrow(
      expect.objectContaining({ code: 'query_too_long', status: 0 }),
    )
    expect(toQuery({ a: 'a'.repeat(16_382) })).toHaveLength(16_385)
  })
})
