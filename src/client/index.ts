import { table } from './api/index.ts'
import { call } from './calling.ts'
import { QuartermasterError } from './errors.ts'
import { follow } from './events.ts'
import { type PreparedRequest, prepare } from './prepare.ts'
import { passReply, readReply } from './reading.ts'
import type { Api, CallOptions, ErrorCode, Quartermaster, Settings, StreamOptions } from './types.ts'

export type * from './api/index.ts'
export { NoReplyError, QuartermasterError, type UnknownCode } from './errors.ts'
export type * from './gateway.ts'
export type * from './types.ts'

const verbs = ['get', 'post', 'put', 'patch', 'delete'] as const

/** A client of the API: `q.queue.post('/task', { worker, url })`. It keeps no connection and no state. */
export function quartermaster(settings: Settings = {}): Quartermaster {
  const components = [...table.components, 'gateway'].map((name) => [name, componentOf(settings, name)])
  const request = (method: string, path: string, params: object = {}, options: CallOptions = {}) => {
    const [, component = '', rest = '/'] = /^\/([^/]*)(.*)$/s.exec(path) ?? []
    return call(settings, askedOf(component, method.toUpperCase(), rest, params), options, passReply)
  }
  // The types are the document's, which the tests hold against what this sends.
  return { ...Object.fromEntries(components), request } as Quartermaster
}

/**
 * Whether what a call threw is an error of the API: `isErrorOf<'feed', 'get', '/records'>(error)`. A `switch` on its `code` can
 * then be exhaustive: what is left after all known codes is an `UnknownCode`.
 */
export const isErrorOf = <Name extends keyof Api, Method extends keyof Api[Name], Path extends keyof Api[Name][Method]>(
  error: unknown,
): error is QuartermasterError<ErrorCode<Name, Method, Path>> => error instanceof QuartermasterError

function componentOf(settings: Settings, name: string) {
  const component = name === 'gateway' ? '' : name
  const calls = verbs.map((verb) => [
    verb,
    (path: string, params: object = {}, options: CallOptions = {}) => {
      const asked = askedOf(component, verb.toUpperCase(), path, params)
      return table.bytes.includes(asked.operation)
        ? call(settings, asked, options, passReply)
        : call<unknown>(settings, asked, options, readReply)
    },
  ])
  return {
    ...Object.fromEntries(calls),
    events: (path: string, params: object = {}, options: StreamOptions = {}) =>
      follow(settings, askedOf(component, 'GET', path, params), options),
    url: (path: string, params: object = {}) => prepare(settings, askedOf(component, 'GET', path, params)).url,
  }
}

const askedOf = (component: string, method: string, path: string, params: object): PreparedRequest => ({
  operation: `${method} ${component && `/${component}`}${path}`,
  component,
  method,
  path,
  params,
})
