// Builds the text of the example curl command that the docs page shows for an operation. Does not send anything.
import { formData, type Operation } from './openapi.ts'

type Json = Record<string, unknown>

/** A parameter of an operation. `where` is `path`, `query` or `header`; by default the parameter is in the body. */
export interface ParameterRow {
  name: string
  schema: Json
  required: boolean
  where?: string
}

/**
 * Builds a curl command with the required parameters. If the reply has no body, the command prints the response
 * headers.
 */
export function curl(url: string, method: string, operation: Operation, rows: ParameterRow[]): string {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const required = rows.filter((row) => row.required)
  const fields = required.filter(({ where }) => where === undefined)
  const headers = required.filter(({ where }) => where === 'header')
  return [
    'curl',
    ...(method === 'head' ? ['-I'] : [...(hasEmptyReply(operation) ? ['-i'] : []), '-X', method.toUpperCase()]),
    url,
    ...headers.map(({ name, schema }) => `-H '${name}: ${exampleOf(schema)}'`),
    ...(type === formData
      ? form(fields)
      : content?.schema
        ? data(fields)
        : bytes(type, operation.requestBody?.required)),
  ].join(' ')
}

const hasEmptyReply = ({ responses }: Operation) => !Object.values(responses)[0]?.content

function data(rows: ParameterRow[]) {
  const body = Object.fromEntries(rows.map(({ name, schema }) => [name, exampleOf(schema)]))
  return rows.length > 0 ? [`-d '${JSON.stringify(body)}'`] : []
}

const form = (rows: ParameterRow[]) =>
  rows.map(({ name, schema }) => `-F ${name}=${schema.format === 'binary' ? '@file' : exampleOf(schema)}`)

const bytes = (type: string | undefined, isRequired = false) =>
  isRequired ? [`-H 'Content-Type: ${type}'`, '--data-binary @file'] : []

function exampleOf(schema: Json): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (Array.isArray(schema.anyOf)) return exampleOf(schema.anyOf[0] as Json)
  if (schema.type === 'array') return [exampleOf((schema.items ?? {}) as Json)]
  return (
    { integer: schema.multipleOf ?? 1, number: 1.5, boolean: true, string: 'text', object: {} }[
      String([schema.type].flat()[0])
    ] ?? {}
  )
}
