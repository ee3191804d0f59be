// Makes the OpenAPI document of a component (`/_openapi.json`) from the schemas that validate its requests.
import * as z from 'zod'
import { baseUrl } from './base.ts'
import type { About, CoreEnv, Endpoint } from './declaration.ts'
import type { Described, MediaTypes } from './described.ts'
import { type ErrorResponses, errorBody, errorResponsesOf } from './error-responses.ts'
import { accessOf, documentSecurity, type OperationAccess, type SecurityRequirement, schemesOf } from './security.ts'

type Json = Record<string, unknown>

/** The parts of an OpenAPI operation that the docs page reads. */
export interface Operation extends OperationAccess {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  parameters: { name: string; in: 'query' | 'path' | 'header'; required: boolean; description?: string; schema: Json }[]
  requestBody?: { required: boolean; content: MediaTypes }
  responses: Record<string, Described>
}

/** An OpenAPI 3.1 document. */
export interface Description {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: SecurityRequirement[]
  paths: Record<string, Record<string, Operation>>
  components: { [section: string]: unknown; responses?: Record<string, Described> }
}

/** Conventions of all components, for readers who have the OpenAPI document alone. */
export const conventions = `Send parameters in the query or in a JSON body, with every method: a parameter that the schema of the body \
requires may be in either place. The body takes precedence over the query. A success is \`{"status": true, "content": …}\`; the schema of an operation shows where it differs. DELETE and \
PATCH refuse unknown parameters with 400. Times in replies are \`YYYY-MM-DD HH:MM:SS\` in UTC; a time in a request may also be a date, or \
ISO 8601, whose offset is converted to UTC. Authenticate with \`Authorization: Bearer\` and a key or token with the scope of the operation, such \
as \`feed:read\`, or with one of AUTH_TOKENS or HTTP Basic, which may do everything; a local start needs no credentials unless you set \
them. Users of the bus send \`Api-Secret\`.`

/** Version of the HTTP API. It changes with incompatible changes. */
export const apiVersion = '1.0.0'

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => removeDefaultBounds(jsonSchema),
  }) as Json
  return rest
}

/**
 * Zod writes the bounds of safe integers into every integer schema without declared bounds. They are removed, since
 * they say nothing to a reader.
 */
function removeDefaultBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

const errorSchema: Json = {
  type: 'object',
  required: ['status', 'status_code', 'message'],
  properties: {
    status: { const: false, description: 'Always false in an error' },
    status_code: { type: 'string', description: 'Error code, stable across versions. Compare this in programs' },
    message: { type: 'string', description: 'Cause of the error, for people. The text may change' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Message for each invalid parameter, by name',
    },
    content: { type: 'object', description: 'Data to handle the error, such as the current version of a document' },
    request_id: { type: 'string', description: 'Id of the request, under which the log has the details' },
    docs: { type: 'string', description: 'Path of the documentation of the error code' },
  },
}

const warnings: Json = {
  type: 'array',
  description: 'Unknown parameters, which were ignored',
  items: {
    type: 'object',
    required: ['parameter', 'message'],
    properties: {
      parameter: { type: 'string', description: 'Name of the parameter' },
      message: { type: 'string', description: 'Explanation, with the name that was probably meant' },
    },
  },
}

const warningsRef = { $ref: '#/components/schemas/Warnings' }

/** The OpenAPI 3.1 document of a component. */
export function describeApi<Env extends CoreEnv>(
  about: About<Env>,
  endpoints: readonly Endpoint<Env>[],
  env: Env,
  request: Request,
): Description {
  const securitySchemes = schemesOf(about, endpoints)
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
    info: { title: about.title, version: apiVersion, description: `${about.description}\n\n${conventions}` },
    servers: [{ url: baseUrl(env, about.name, request) }],
    tags: [{ name: about.name, description: about.description }],
    security: documentSecurity(securitySchemes),
    paths,
    components: { schemas: { Refusal: errorSchema, Warnings: warnings }, responses, securitySchemes },
  }
}

const methodOf = <Env extends CoreEnv>({ method, head }: Endpoint<Env>) => (head ? 'head' : method)

function describeEndpoint<Env extends CoreEnv>(
  about: About<Env>,
  endpoint: Endpoint<Env>,
  errors: ErrorResponses,
): Operation {
  const { path, summary, description, params = endpoint.fields } = endpoint
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, variable]) => variable!)
  const schema = params && schemaOf(params)
  const requestBody = bodyOf(endpoint, schema, inPath)
  return {
    operationId: `${about.name}_${methodOf(endpoint)}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
    summary,
    ...(description && { description }),
    tags: [about.name],
    ...accessOf(about, endpoint),
    parameters: [...parametersOf(endpoint, schema, inPath), ...headersOf(endpoint)],
    ...(requestBody && { requestBody }),
    responses: withErrors(repliesOf(endpoint), errors.responses),
  }
}

/**
 * Joins the replies and the errors of an operation. If both have an entry for a status, their descriptions are joined.
 */
function withErrors(
  replies: Record<string, Described>,
  errors: ErrorResponses['responses'],
): Record<string, Described> {
  const both = Object.entries(errors).map(([status, error]): [string, Described] => {
    const reply = replies[status]
    if (!reply) return [status, error]
    const headers = { ...reply.headers, ...error.headers }
    const description = `${reply.description}\n\n${error.description}`
    return [status, { ...error, description, ...(Object.keys(headers).length > 0 && { headers }) }]
  })
  return { ...replies, ...Object.fromEntries(both) }
}

/**
 * Whether parameters are documented in the query string instead of the body: for GET, DELETE, raw bodies, and replies
 * that are files. So their URLs can be links, and need no JSON body.
 */
const inQuery = <Env extends CoreEnv>({ method, raw, produces }: Endpoint<Env>) =>
  method === 'get' || method === 'delete' || Boolean(raw || produces)

/** The media type of forms with files. */
export const formData = 'multipart/form-data'

/** The media type of forms without files. */
const urlEncoded = 'application/x-www-form-urlencoded'

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
  description:
    'Unique key of this request, 1 to 255 characters, such as a UUID. A retry with the same key gets the stored reply of the first request for at least 24 hours',
  schema: { type: 'string', maxLength: 255 },
}

/**
 * The parameters in path and query. A query parameter is never marked as required, since the caller may send it in the
 * body instead.
 */
function parametersOf<Env extends CoreEnv>(
  endpoint: Endpoint<Env>,
  schema: Json | undefined,
  inPath: string[],
): Operation['parameters'] {
  const properties = (schema?.properties ?? {}) as Record<string, Json>
  const path = inPath.map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: properties[name] ?? { type: 'string', description: endpoint.pathParameters?.[name] },
  }))
  if (!inQuery(endpoint)) return path
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
  const { raw, multipart, takes, fields: parsed } = endpoint
  if (multipart) return { required: true, content: { [formData]: { schema: schemaOf(multipart) } } }
  if (takes) return { required: takes.required ?? false, content: { [takes.type]: {} } }
  const fields = Object.entries((schema?.properties ?? {}) as Json).filter(([name]) => !inPath.includes(name))
  if (raw || fields.length === 0) return undefined
  const required = ((schema?.required ?? []) as string[]).filter((name) => !inPath.includes(name))
  const body = { ...schema, properties: Object.fromEntries(fields), required }
  const content = { ...(parsed && { [urlEncoded]: { schema: body } }), ...json(body) }
  return { required: !inQuery(endpoint) && required.length > 0, content }
}

/** The OpenAPI responses of an operation that are not errors, by status. */
function repliesOf<Env extends CoreEnv>(endpoint: Endpoint<Env>): Record<string, Described> {
  const { status = 200, reply, produces, empty, replies } = endpoint
  const content: MediaTypes = produces ? { [produces]: {} } : json(replySchema(endpoint))
  if (!replies) return { [status]: { description: 'Success', content }, ...(empty && { 204: { description: empty } }) }
  // 200 beside another status has the same body, such as for a dry run.
  const full = reply || produces ? [status, 200, 206] : []
  const described = Object.entries(replies).map(([at, { description, headers, refusal }]) => [
    at,
    {
      description,
      ...(headers && { headers: describeHeaders(headers) }),
      ...(refusal ? { content: json(errorBody) } : full.includes(Number(at)) && { content }),
    },
  ])
  return Object.fromEntries(described)
}

const describeHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

function replySchema<Env extends CoreEnv>({ reply, envelope, params, raw, method }: Endpoint<Env>): Json {
  const content = reply && schemaOf(z.object(reply))
  if (content && envelope === 'none') return content
  const flat =
    envelope === 'flat'
      ? ((content?.properties ?? {}) as Json)
      : { ...(content && { content: { ...content, description: 'Result of the operation' } }) }
  const warns = params && !raw && method !== 'delete' && method !== 'patch'
  const properties = {
    status: { const: true, description: 'Always true in a success' },
    ...(warns && { warnings: warningsRef }),
    ...flat,
  }
  const needed = envelope === 'flat' ? ((content?.required ?? []) as string[]) : Object.keys(flat)
  return { type: 'object', required: ['status', ...needed], properties }
}
