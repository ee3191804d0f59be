import type { ErrorDefinition } from '#core/errors'

type Json = Record<string, unknown>

/** By media type; what has no schema is bytes. */
export type MediaTypes = Record<string, { schema?: Json }>

export interface Described {
  /** A shared response, under `components`. */
  $ref?: string
  description: string
  headers?: Record<string, { description: string; schema: Json }>
  content?: MediaTypes
  /** Of errors: what the docs page shows of each code. */
  'x-errors'?: Record<string, ErrorDefinition>
}
