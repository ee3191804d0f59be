// Reflection on zod schemas, for validation messages and conversion of parameters: types without wrappers such as
// `optional`, and the schema, keys or value at a path.
import * as z from 'zod'

type Def = z.core.$ZodTypes['_zod']['def']

export const defOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def as Def

/** The schema inside a wrapper such as `optional` or `default`. For a codec: the schema of its input, as in the request. */
export function innerOf(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const def = defOf(schema)
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return def.innerType
    case 'pipe':
      return def.in
    default:
      return undefined
  }
}

/**
 * The schema that a value in the request must match, without wrappers such as `optional`. For a codec this is its
 * input.
 */
export function wire(schema: z.core.$ZodType): z.core.$ZodType {
  const inner = innerOf(schema)
  return inner ? wire(inner) : schema
}

export const typeOf = (schema: z.core.$ZodType) => defOf(wire(schema)).type

export const isInteger = (schema: z.core.$ZodType) => schema instanceof z.ZodNumber && schema.format === 'safeint'

/** The schema of the value at a path such as `['filters', 0, 'name']` inside a schema. */
export function schemaAt(schema: z.core.$ZodType, path: PropertyKey[]): z.core.$ZodType | undefined {
  let found: z.core.$ZodType | undefined = schema
  for (const key of path) found = found && childOf(defOf(wire(found)), String(key))
  return found
}

function childOf(def: Def, key: string): z.core.$ZodType | undefined {
  if (def.type === 'object') return def.shape[key]
  if (def.type === 'array') return def.element
  return def.type === 'record' ? def.valueType : undefined
}

/** The keys of the object schema at a path, to suggest one for a misspelled key. */
export function namesAt(schema: z.core.$ZodType, path: PropertyKey[]): string[] {
  const found = schemaAt(schema, path)
  const def = found && defOf(wire(found))
  return def?.type === 'object' ? Object.keys(def.shape) : []
}

/** The value at a path of the parameters, such as the invalid one of a zod issue. */
export function valueAt(params: unknown, path: PropertyKey[]): unknown {
  let value = params
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key]
  return value
}
