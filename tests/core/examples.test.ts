// Tests that the OpenAPI documents have the examples of all schemas: Zod leaves out those of a schema with a transform.
import { expect, it } from 'vitest'
import * as z from 'zod'

const contracts = import.meta.glob<Record<string, unknown>>('../../src/*/{contract,contract/*}.ts', { eager: true })

/** The paths of the schemas inside a schema whose examples are not in its JSON Schema. */
function lostExamples(schema: z.ZodType): string[] {
  const lost: string[] = []
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      if (z.globalRegistry.get(zodSchema)?.examples && !jsonSchema.examples) lost.push(path.join('.'))
    },
  })
  return lost
}

it('has the examples of all parameters and replies', () => {
  const lost = Object.entries(contracts).flatMap(([file, exported]) =>
    Object.entries(exported).flatMap(([name, schema]) =>
      schema instanceof z.ZodType ? lostExamples(schema).map((path) => `${file} ${name} ${path}`) : [],
    ),
  )

  expect(Object.keys(contracts).length).toBeGreaterThan(10)
  expect(lost).toEqual([])
})
