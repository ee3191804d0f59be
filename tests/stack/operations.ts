// The operations of an OpenAPI document, with what is needed to call them.
import type { Description, Operation } from '#core/http/openapi'

/** An operation of the API. */
export interface ApiOperation {
  /** Method and path: `GET /feed/records`. */
  name: string
  /** The name of its component, or `gateway`. */
  component: string
  method: string
  /** Path, in which `1` replaces each variable. */
  url: string
  /** Names of the parameters that the body or the query must have. */
  required: string[]
  operation: Operation
}

/** All operations of a document, in its order. */
export const operationsIn = ({ paths }: Description): ApiOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      component: operation.tags[0]!,
      // The reply to a HEAD has no body with the error code.
      method: method === 'head' ? 'GET' : method.toUpperCase(),
      url: path.replace(/\{\w+\}/g, '1'),
      required: requiredIn(operation),
      operation,
    })),
  )

const requiredIn = ({ requestBody }: Operation): string[] =>
  Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => (schema?.required ?? []) as string[])
