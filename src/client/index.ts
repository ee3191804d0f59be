import { table } from './api/index.ts'
import { call } from './call.ts'
import { QuartermasterError } from './errors.ts'
import { follow } from './events.ts'
import { passReply, readReply } from './reply.ts'
import { type OperationCall, prepare } from './request.ts'
import type { Api, CallOptions, ErrorCode, Quartermaster, Settings, StreamOptions } from './types.ts'

export type * from './api/index.ts'
export { NoReplyError, QuartermasterError, type UnknownCode } from './errors.ts'
export type * from './gateway.ts'
export type * from './types.ts'

const verbs = ['get', 'post', 'put', 'patch', 'delete'] as const

/**
 * Creates a client of the API: `q.queue.post('/task', { worker, url })`. Creating one is cheap, since a client holds no
 * connections and no state.
 */
export function quartermaster(settings: Settings = {}): Quartermaster {
  const components = [...table.components, 'gateway'].map((name) => [name, componentOf(settings, name)])
  const request = (method: string, path: string, params: object = {}, options: CallOptions = {}) => {
    const [, component = '', rest = '/'] = /^\/([^/]*)(.*)$/s.exec(path) ?? []
    return call(settings, operationCall(component, method.toUpperCase(), rest, params), options, passReply)
  }
  // The cast is needed because the types are generated from the OpenAPI document, and the methods at run time. Tests
  // compare the types with real requests.
  return { ...Object.fromEntries(components), request } as Quartermaster
}

/**
 * Whether an exception is an error of an operation: `isErrorOf<'feed', 'get', '/records'>(error)`. A `switch` on its `code` can then
 * be exhaustive: after all known codes, the type is `UnknownCode`.
 */
export const isErrorOf = <Name extends keyof Api, Method extends keyof Api[Name], Path extends keyof Api[Name][Method]>(
  error: unknown,
): error is QuartermasterError<ErrorCode<Name, Method, Path>> => error instanceof QuartermasterError

function componentOf(settings: Settings, name: string) {
  const component = name === 'gateway' ? '' : name
  const calls = verbs.map((verb) => [
    verb,
    (path: string, params: object = {}, options: CallOptions = {}) => {
      const operation = operationCall(component, verb.toUpperCase(), path, params)
      return table.bytes.includes(operation.operation)
        ? call(settings, operation, options, passReply)
        : call<unknown>(settings, operation, options, readReply)
    },
  ])
  return {
    ...Object.fromEntries(calls),
    events: (path: string, params: object = {}, options: StreamOptions = {}) =>
      follow(settings, operationCall(component, 'GET', path, params), options),
    url: (path: string, params: object = {}) => prepare(settings, operationCall(component, 'GET', path, params)).url,
  }
}

const operationCall = (component: string, method: string, path: string, params: object): OperationCall => ({
  operation: `${method} ${component && `/${component}`}${path}`,
  component,
  method,
  path,
  params,
})
