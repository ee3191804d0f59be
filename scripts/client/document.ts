// Reads the operations and their schemas from the OpenAPI document, for the client generator.
import type { Description, Operation } from '#core/http/openapi'
import type { JsonSchema } from './types.ts'

/** An operation of the API, as the generator needs it. */
export interface ApiOperation {
  /** Method and path: `POST /queue/task`. */
  name: string
  component: string
  method: string
  /** Path without the prefix of the component. */
  path: string
  summary: string
  description: string | undefined
  /** Schema of all parameters, in path, query and body. */
  params: JsonSchema
  /** Schema of the reply; undefined if the reply is not JSON. */
  reply: JsonSchema | undefined
  isKeyed: boolean
  /** Names of the form's fields, if the operation takes a form. */
  form: string[] | undefined
  isStream: boolean
  /** Error codes. */
  errors: string[]
  /** Whether the operation may answer 204, without content, so that the client returns undefined. */
  isEmpty: boolean
}

/**
 * The operations for which the client has methods. Callbacks of other systems are left out, and so are uploads by tus,
 * a protocol that has its own clients.
 */
export const callsIn = ({ paths, components }: Description): ApiOperation[] =>
  Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      isForCallers(at, operation) ? callOf(at, method, operation, components?.responses ?? {}) : [],
    ),
  )

const isForCallers = (at: string, operation: Operation) =>
  /^\/[^/]+\//.test(at) && !/^\/media\/tus\b/.test(at) && (isEvents(operation) || !hasOwnProof(operation))

/**
 * Whether a signature or a token in the request gives access. Such operations are called by other systems, not by
 * clients.
 */
const hasOwnProof = ({ security }: Operation) => security?.some((scheme) => Object.keys(scheme).length === 0)

const typesOf = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, { content = {} }]) => (/^2/.test(status) ? Object.keys(content) : []))

const isEvents = (operation: Operation) => typesOf(operation).includes('text/event-stream')

/** The error codes of an operation. `shared` has the responses to which the operation refers. */
const errorsOf = ({ responses }: Operation, shared: Operation['responses']): string[] =>
  Object.values(responses).flatMap(({ $ref, 'x-errors': own }) =>
    Object.keys(own ?? shared[$ref?.split('/').at(-1) ?? '']?.['x-errors'] ?? {}),
  )

function callOf(at: string, method: string, operation: Operation, shared: Operation['responses']): ApiOperation {
  const [, component, path] = /^\/([^/]+)(.*)$/.exec(at) ?? []
  const { summary, description, parameters, requestBody, responses } = operation
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const variables = parameters.filter((one) => one.in === 'path').map(({ name, schema }) => [name, schema])
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema])
  const bodySchema = body?.schema as JsonSchema | undefined
  // The first success with a body: a 202 beside a 200 that is a file is not the reply.
  const success = ['200', '201', '202'].map((status) => responses[status]?.content).find(Boolean)
  const reply = success?.['application/json']?.schema
  return {
    name: `${method.toUpperCase()} ${at}`,
    component: component!,
    method,
    path: path!,
    summary,
    description,
    params: {
      type: 'object',
      properties: Object.fromEntries([...variables, ...inQuery, ...Object.entries(bodySchema?.properties ?? {})]),
      required: [...variables.map(([name]) => name as string), ...(bodySchema?.required ?? [])],
    },
    reply: reply as JsonSchema | undefined,
    isKeyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
    form: type === 'multipart/form-data' ? Object.keys(bodySchema?.properties ?? {}) : undefined,
    isStream: isEvents(operation),
    errors: errorsOf(operation, shared),
    isEmpty: '204' in responses,
  }
}
