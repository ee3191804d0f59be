import { z } from 'zod'
import { refusals } from '#core/failure'
import { baseUrl } from './base.ts'
import type { About, CoreEnv, Endpoint } from './declaration.ts'

type Json = Record<string, unknown>

/** The part of an OpenAPI document that the docs page reads. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Json[]
  parameters: { name: string; in: 'query' | 'path' | 'header'; required: boolean; description?: string; schema: Json }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> }
  responses: Record<string, Json>
}

export interface Description {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: Json[]
  paths: Record<string, Record<string, Operation>>
  components: Json
}

/** Of the HTTP interface; it moves when a caller would have to. */
export const apiVersion = '1.0.0'

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
  return rest
}

const refusal: Json = {
  type: 'object',
  required: ['status', 'status_code', 'message'],
  properties: {
    status: { const: false },
    status_code: { type: 'string', examples: Object.values(refusals).map(([, code]) => code) },
    message: { type: 'string' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong with each parameter',
    },
    content: { type: 'object' },
  },
}

/** The component's OpenAPI 3.1 document, from the schemas that validate. */
export function describeApi<Env extends CoreEnv>(
  about: About<Env>,
  endpoints: readonly Endpoint<Env>[],
  env: Env,
  request: Request,
): Description {
  const paths: Description['paths'] = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method]: describeEndpoint(about, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: apiVersion, description: about.description },
    servers: [{ url: baseUrl(env, about.name, request) }],
    tags: [{ name: about.name, description: about.description }],
    security: [{ bearer: [] }, { basic: [] }],
    paths,
    components: {
      schemas: { Refusal: refusal },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, basic: { type: 'http', scheme: 'basic' } },
    },
  }
}

function describeEndpoint<Env extends CoreEnv>({ name }: About<Env>, endpoint: Endpoint<Env>): Operation {
  const { method, path, summary, description, params, open, idempotent } = endpoint
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, variable]) => variable!)
  const schema = params && schemaOf(params)
  const inQuery = method === 'get' || method === 'delete' || endpoint.raw
  return {
    operationId: `${name}_${method}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
    summary,
    ...(description && { description }),
    tags: [name],
    ...(open && { security: [] }),
    ...(endpoint.proof && { security: [{ bearer: [] }, { basic: [] }, {}] }),
    parameters: [...parametersOf(schema, inPath, inQuery ? 'query' : 'path'), ...(idempotent ? [idempotencyKey] : [])],
    ...(schema && !endpoint.raw && { requestBody: bodyOf(schema, inPath, !inQuery) }),
    responses: {
      ...successOf(endpoint),
      default: { description: 'Refused', content: json({ $ref: '#/components/schemas/Refusal' }) },
    },
  }
}

const json = (schema: Json) => ({ 'application/json': { schema } })

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description: 'A repeat with the same key within a day gets the first reply',
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

function bodyOf(schema: Json, inPath: string[], required: boolean) {
  const properties = Object.fromEntries(
    Object.entries(schema.properties as Json).filter(([name]) => !inPath.includes(name)),
  )
  const needed = ((schema.required ?? []) as string[]).filter((name) => !inPath.includes(name))
  return { required: required && needed.length > 0, content: json({ ...schema, properties, required: needed }) }
}

function successOf<Env extends CoreEnv>(endpoint: Endpoint<Env>): Record<string, Json> {
  const { status = 200, summary, produces, empty } = endpoint
  const content = produces ? { [produces]: {} } : json(replySchema(endpoint))
  return { [status]: { description: summary, content }, ...(empty && { 204: { description: empty } }) }
}

function replySchema<Env extends CoreEnv>({ reply, envelope }: Endpoint<Env>): Json {
  const content = reply && schemaOf(z.object(reply))
  if (content && envelope === 'none') return content
  const flat = envelope === 'flat' ? ((content?.properties ?? {}) as Json) : { ...(content && { content }) }
  const properties = { status: { const: true }, ...flat }
  const needed = envelope === 'flat' ? ((content?.required ?? []) as string[]) : Object.keys(flat)
  return { type: 'object', required: ['status', ...needed], properties }
}
