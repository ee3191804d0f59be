// Types of the responses in an OpenAPI document: those of one operation, and those that several operations share by
// reference.
import type { ErrorDefinition } from '#core/errors'

type Json = Record<string, unknown>

/** OpenAPI content by media type. An entry without a schema stands for a binary body. */
export type MediaTypes = Record<string, { schema?: Json }>

/** An OpenAPI response. */
export interface Described {
  /** Reference to a shared response under `components`. */
  $ref?: string
  description: string
  headers?: Record<string, { description: string; schema: Json }>
  content?: MediaTypes
  /** The error codes of an error response with their documentation, which the docs page shows as a table. */
  'x-errors'?: Record<string, ErrorDefinition>
}
