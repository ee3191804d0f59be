import type * as z from 'zod'
import { invalidParameters } from '#core/failure'
import { namesAt } from './schemas.ts'
import { unknownParameter } from './unknown-parameters.ts'
import { requirementOf } from './validation-messages.ts'

const maxNameLength = 200
const maxErrors = 100

/** Parses parameters with a schema. Throws 400 with a message for each invalid parameter, by name. */
export function validate<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  // Zod gets an empty default message, so that only messages of our schemas reach `requirementOf`, never zod's.
  const result = schema.safeParse(params, { error: () => '' })
  if (result.success) return result.data
  const errors: Record<string, string> = {}
  for (const issue of result.error.issues.slice(0, maxErrors)) {
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys.slice(0, maxErrors))
        errors[nameOf([...issue.path, key])] ??= unknownParameter(key, namesAt(schema, issue.path))
    else {
      const { path, text } = requirementOf(issue, schema, params)
      errors[nameOf(path)] ??= text
    }
  }
  throw invalidParameters(errors)
}

const nameOf = (path: PropertyKey[]) => path.join('.').slice(0, maxNameLength) || 'body'
