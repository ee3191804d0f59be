import type { Description, Operation } from '#core/http/openapi'
import type { JsonSchema } from './types.ts'

/** An operation of the API, as the client has it. */
export interface ApiOperation {
  /** As in the table: `POST /queue/task`. */
  name: string
  component: string
  method: string
  /** Below its component. */
  path: string
  summary: string
  description: string | undefined
  /** Of all parameters, wherever they travel. */
  params: JsonSchema
  /** None where the reply is not JSON. */
  reply: JsonSchema | undefined
  isKeyed: boolean
  /** The fields of its form, where it takes one. */
  form: string[] | undefined
  isStream: boolean
  /** The codes of its errors. */
  errors: string[]
  /** It may answer 204, without a reply. */
  isEmpty: boolean
}

/** The calls in a document that are for callers: what other systems call back, and the uploads of tus, have clients of their own. */
export const callsIn = ({ paths, components }: Description): ApiOperation[] =>
  Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      isForCallers(at, operation) ? callOf(at, method, operation, components?.responses ?? {}) : [],
    ),
  )

const isForCallers = (at: string, operation: Operation) =>
  !/^\/media\/tus\b/.test(at) && (isEvents(operation) || !provesItself(operation))

/** Its access is a signature or a token of the request. */
const provesItself = ({ security }: Operation) => security?.some((scheme) => Object.keys(scheme).length === 0)

const typesOf = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, { content = {} }]) => (/^2/.test(status) ? Object.keys(content) : []))

const isEvents = (operation: Operation) => typesOf(operation).includes('text/event-stream')

/** The error codes of an operation; `shared` has the responses that it refers to. */
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
  const given = body?.schema as JsonSchema | undefined
  const reply = ['200', '201'].map((status) => responses[status]?.content?.['application/json']?.schema).find(Boolean)
  return {
    name: `${method.toUpperCase()} ${at}`,
    component: component!,
    method,
    path: path!,
    summary,
    description,
    params: {
      type: 'object',
      properties: Object.fromEntries([...variables, ...inQuery, ...Object.entries(given?.properties ?? {})]),
      required: [...variables.map(([name]) => name as string), ...(given?.required ?? [])],
    },
    reply: reply as JsonSchema | undefined,
    isKeyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
    form: type === 'multipart/form-data' ? Object.keys(given?.properties ?? {}) : undefined,
    isStream: isEvents(operation),
    errors: errorsOf(operation, shared),
    isEmpty: '204' in responses,
  }
}
