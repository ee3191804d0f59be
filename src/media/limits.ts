// Limits the size and the dimensions of uploads, by the kind of item and by the scope in UPLOAD_SCOPES.
import type * as z from 'zod'
import { invalid, notConfigured } from '#core/failure'
import { parseText } from '#core/http/json'
import { type ItemKind, Scopes } from './contract/uploads.ts'
import type { StorageEnv } from './env.ts'
import { positiveVariable } from './env.ts'
import { failure } from './errors.ts'

/** Limits of an upload: its size in bytes, and the longer side of its renditions or its mp4 in pixels. */
interface Limits {
  maxSize: number
  maxDimension?: number
}

const kilobyte = 1024

/**
 * Returns the limits of a kind of items in a scope, or without a scope the default limits. Throws 400 if the scope does not exist.
 */
export function limitsFor(env: StorageEnv, kind: ItemKind, scope: string | undefined): Limits {
  const defaultMaxSize = positiveVariable(env, 'UPLOAD_MAX_FILESIZE', 102_400) * kilobyte
  if (!scope) return { maxSize: defaultMaxSize }
  const scopes = scopesOf(env)
  if (!Object.hasOwn(scopes, scope)) throw invalid('scope', 'Must be one of the names in UPLOAD_SCOPES')
  const limits = scopes[scope]!
  const size = limits[`${kind}_max_filesize`]
  const maxDimension = kind === 'image' || kind === 'video' ? limits[`${kind}_max_dimension`] : undefined
  return { maxSize: size ? size * kilobyte : defaultMaxSize, ...(maxDimension && { maxDimension }) }
}

/**
 * Returns the largest limit of a kind among all scopes, in bytes. Used while the scope is not known yet, since its form field may
 * follow the file.
 */
export const maxUploadBytes = (env: StorageEnv, kind: ItemKind): number =>
  Math.max(...[undefined, ...Object.keys(scopesOf(env))].map((scope) => limitsFor(env, kind, scope).maxSize))

/** Creates the error 413 `payload_too_large` for a file larger than `maxSize` bytes. */
export const tooLarge = (maxSize: number) => failure('payload_too_large', `file must be at most ${maxSize} bytes.`)

function scopesOf({ UPLOAD_SCOPES }: StorageEnv): z.infer<typeof Scopes> {
  if (!UPLOAD_SCOPES) return {}
  const scopes = Scopes.safeParse(jsonIn(UPLOAD_SCOPES))
  if (scopes.success) return scopes.data
  throw notConfigured('UPLOAD_SCOPES must be a JSON object that maps each scope to an object of limits.')
}

function jsonIn(text: string): unknown {
  try {
    return parseText(text)
  } catch {
    return undefined
  }
}
