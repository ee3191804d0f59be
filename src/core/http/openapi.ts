import * as z from 'zod'
import { baseUrl } from './base.ts'
import type { About, CoreEnv, Endpoint } from './declaration.ts'
import type { Described, MediaTypes } from './described.ts'
import { type ErrorResponses, errorBody, errorResponsesOf } from './error-responses.ts'

type Json = Record<string, unknown>

/** The part of an OpenAPI document that the docs page reads. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Json[]
  parameters: { name: string; in: 'query' | 'path' | 'header'; required: boolean; description?: string; schema: Json }[]
  requestBody?: { required: boolean; content: MediaTypes }
  responses: Record<string, Described>
}

export interface Description {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: Json[]
  paths: Record<string, Record<string, Operation>>
  components: { [section: string]: unknown; responses?: Record<string, Described> }
}

/** Of the HTTP interface; it moves when a caller would have to. */
export const apiVersion = '1.0.0'

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => unbound(jsonSchema),
  }) as Json
  return rest
}

/** Takes off the bounds of what a double can hold, which every integer gets that has none of its own. */
function unbound(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

const refusal: Json = {
  type: 'object',
  required: ['status', 'status_code', 'message'],
  properties: {
    status: { const: false },
    status_code: { type: 'string', description: 'The error code: what programs compare' },
    message: { type: 'string' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong with each parameter',
    },
    content: { type: 'object', description: 'What the caller may need next, such as the current version' },
    request_id: { type: 'string', description: 'The id under which the log has the request' },
    docs: { type: 'string', description: 'The path of the explanation of the code' },
  },
}

const warnings: Json = {
  type: 'array',
  description: 'Parameters that the operation does not have, and ignored',
  items: {
    type: 'object',
    required: ['parameter', 'message'],
    properties: { parameter: { type: 'string' }, message: { type: 'string' } },
  },
}

const ofWarnings = { $ref: '#/components/schemas/Warnings' }

/** The component's OpenAPI 3.1 document, from the schemas that validate. */
export function describeApi<Env extends CoreEnv>(
  about: About<Env>,
  endpoints: readonly Endpoint<Env>[],
  env: Env,
  request: Request,
): Description {
  const paths: Description['paths'] = {}
  const responses: ErrorResponses['shared'] = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')
    const errors = errorResponsesOf(about, endpoint)
    Object.assign(responses, errors.shared)
    paths[path] = { ...paths[path], [methodOf(endpoint)]: describeEndpoint(about, endpoint, errors) }
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: apiVersion, description: about.description },
    servers: [{ url: baseUrl(env, about.name, request) }],
    tags: [{ name: about.name, description: about.description }],
    security: anyOf(schemesOf(about)),
    paths,
    components: { schemas: { Refusal: refusal, Warnings: warnings }, responses, securitySchemes: schemesOf(about) },
  }
}

/** How a caller may say who it is. */
const schemesOf = <Env>({ name, secretHeader }: About<Env>): Record<string, Json> =>
  secretHeader
    ? { [name]: { type: 'apiKey', in: 'header', name: secretHeader } }
    : { bearer: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } }

const anyOf = (schemes: Record<string, Json>): Json[] => Object.keys(schemes).map((name) => ({ [name]: [] }))

const methodOf = <Env extends CoreEnv>({ method, head }: Endpoint<Env>) => (head ? 'head' : method)

function describeEndpoint<Env extends CoreEnv>(
  about: About<Env>,
  endpoint: Endpoint<Env>,
  errors: ErrorResponses,
): Operation {
  const { path, summary, description, params } = endpoint
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, variable]) => variable!)
  const schema = params && schemaOf(params)
  const requestBody = bodyOf(endpoint, schema, inPath)
  return {
    operationId: `${about.name}_${methodOf(endpoint)}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
    summary,
    ...(description && { description }),
    tags: [about.name],
    ...securityOf(about, endpoint),
    parameters: [...parametersOf(schema, inPath, inQuery(endpoint) ? 'query' : 'path'), ...headersOf(endpoint)],
    ...(requestBody && { requestBody }),
    responses: withErrors(answersOf(endpoint), errors.responses),
  }
}

/** The answers with the errors. A status that is both has what either says. */
function withErrors(
  answers: Record<string, Described>,
  errors: ErrorResponses['responses'],
): Record<string, Described> {
  const both = Object.entries(errors).map(([status, error]): [string, Described] => {
    const answer = answers[status]
    if (!answer) return [status, error]
    const headers = { ...answer.headers, ...error.headers }
    const description = `${answer.description}\n\n${error.description}`
    return [status, { ...error, description, ...(Object.keys(headers).length > 0 && { headers }) }]
  })
  return { ...answers, ...Object.fromEntries(both) }
}

/** Who has access, unless everybody has, or who proves it too. */
function securityOf<Env extends CoreEnv>(about: About<Env>, { open, proof }: Endpoint<Env>) {
  if (about.secretHeader) return { security: anyOf(schemesOf(about)) }
  if (proof) return { security: [...anyOf(schemesOf(about)), {}] }
  return open && { security: [] }
}

/** Whether its parameters are described in the query: also what is asked for a file may be a link. */
const inQuery = <Env extends CoreEnv>({ method, raw, produces }: Endpoint<Env>) =>
  method === 'get' || method === 'delete' || Boolean(raw || produces)

/** The type of a body with files in it. */
export const formData = 'multipart/form-data'

const json = (schema: Json) => ({ 'application/json': { schema } })

const headersOf = <Env extends CoreEnv>({ headers = {}, idempotent }: Endpoint<Env>): Operation['parameters'] => [
  ...Object.entries(headers).map(([name, { description, required = false, example }]) => ({
    name,
    in: 'header' as const,
    required,
    description,
    schema: { type: 'string', ...(example && { examples: [example] }) },
  })),
  ...(idempotent ? [idempotencyKey] : []),
]

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description: 'A repeat with the same key gets the first reply, which is kept for a day at least',
  schema: { type: 'string', maxLength: 255 },
}

/** Every parameter may travel in the query or in the body, so that neither place requires one. */
function parametersOf(schema: Json | undefined, inPath: string[], most: 'query' | 'path'): Operation['parameters'] {
  const properties = (schema?.properties ?? {}) as Record<string, Json>
  const path = inPath.map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: properties[name] ?? { type: 'string' },
  }))
  if (most === 'path') return path
  const query = Object.entries(properties).filter(([name]) => !inPath.includes(name))
  return [
    ...path,
    ...query.map(([name, property]) => ({ name, in: 'query' as const, required: false, schema: property })),
  ]
}

function bodyOf<Env extends CoreEnv>(
  endpoint: Endpoint<Env>,
  schema: Json | undefined,
  inPath: string[],
): Operation['requestBody'] {
  const { raw, multipart, takes } = endpoint
  if (multipart) return { required: true, content: { [formData]: { schema: schemaOf(multipart) } } }
  if (takes) return { required: takes.required ?? false, content: { [takes.type]: {} } }
  const given = Object.entries((schema?.properties ?? {}) as Json).filter(([name]) => !inPath.includes(name))
  if (raw || given.length === 0) return undefined
  const required = ((schema?.required ?? []) as string[]).filter((name) => !inPath.includes(name))
  const content = json({ ...schema, properties: Object.fromEntries(given), required })
  return { required: !inQuery(endpoint) && required.length > 0, content }
}

/** Every reply that is no refusal, by status. */
function answersOf<Env extends CoreEnv>(endpoint: Endpoint<Env>): Record<string, Described> {
  const { status = 200, reply, produces, empty, replies } = endpoint
  const content: MediaTypes = produces ? { [produces]: {} } : json(replySchema(endpoint))
  if (!replies) return { [status]: { description: 'Done', content }, ...(empty && { 204: { description: empty } }) }
  const full = reply || produces ? [status, 206] : []
  const answers = Object.entries(replies).map(([at, { description, headers, refusal }]) => [
    at,
    {
      description,
      ...(headers && { headers: inWords(headers) }),
      ...(refusal ? { content: json(errorBody) } : full.includes(Number(at)) && { content }),
    },
  ])
  return Object.fromEntries(answers)
}

const inWords = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

function replySchema<Env extends CoreEnv>({ reply, envelope, params, raw, method }: Endpoint<Env>): Json {
  const content = reply && schemaOf(z.object(reply))
  if (content && envelope === 'none') return content
  const flat = envelope === 'flat' ? ((content?.properties ?? {}) as Json) : { ...(content && { content }) }
  const warns = params && !raw && method !== 'delete' && method !== 'patch'
  const properties = { status: { const: true }, ...(warns && { warnings: ofWarnings }), ...flat }
  const needed = envelope === 'flat' ? ((content?.required ?? []) as string[]) : Object.keys(flat)
  return { type: 'object', required: ['status', ...needed], properties }
}
