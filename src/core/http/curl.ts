import { formData, type Operation } from './openapi.ts'

type Json = Record<string, unknown>

/** What an operation takes, wherever it travels: in the body where nothing else is said. */
export interface ParameterRow {
  name: string
  schema: Json
  required: boolean
  where?: string
}

/** The command that calls an operation with what it requires, and shows the headers where they are the reply. */
export function curl(url: string, method: string, operation: Operation, rows: ParameterRow[]): string {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const needed = rows.filter(({ required }) => required)
  const own = needed.filter(({ where }) => where === undefined)
  const headers = needed.filter(({ where }) => where === 'header')
  return [
    'curl',
    ...(method === 'head' ? ['-I'] : [...(isInHeaders(operation) ? ['-i'] : []), '-X', method.toUpperCase()]),
    url,
    ...headers.map(({ name, schema }) => `-H '${name}: ${exampleOf(schema)}'`),
    ...(type === formData ? form(own) : content?.schema ? data(own) : bytes(type, operation.requestBody?.required)),
  ].join(' ')
}

const isInHeaders = ({ responses }: Operation) => !Object.values(responses)[0]?.content

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
