import type * as z from 'zod'
import { invalid, notConfigured } from '#core/failure'
import { parseText } from '#core/http/json'
import { type ItemKind, Scopes } from './contract/uploads.ts'
import type { StorageEnv } from './env.ts'
import { numberIn } from './env.ts'
import { failure } from './errors.ts'

/** What an upload may be: bytes, and the largest side in pixels of what is made of it. */
interface Limits {
  maxSize: number
  maxDimension?: number
}

const kilobyte = 1024

/** What a kind may be in a scope; 400 where there is no such scope. */
export function limitsFor(env: StorageEnv, kind: ItemKind, scope: string | undefined): Limits {
  const usual = numberIn(env, 'UPLOAD_MAX_FILESIZE', 102_400) * kilobyte
  if (!scope) return { maxSize: usual }
  const scopes = scopesOf(env)
  if (!Object.hasOwn(scopes, scope)) throw invalid('scope', 'Must be one of the names in UPLOAD_SCOPES')
  const its = scopes[scope]!
  const size = its[`${kind}_max_filesize`]
  const maxDimension = kind === 'image' || kind === 'video' ? its[`${kind}_max_dimension`] : undefined
  return { maxSize: size ? size * kilobyte : usual, ...(maxDimension && { maxDimension }) }
}

/** The most bytes that a kind may have in any scope. */
export const maxUploadBytes = (env: StorageEnv, kind: ItemKind): number =>
  Math.max(...[undefined, ...Object.keys(scopesOf(env))].map((scope) => limitsFor(env, kind, scope).maxSize))

/** 413. */
export const tooLarge = (maxSize: number) => failure('payload_too_large', `file must be at most ${maxSize} bytes.`)

function scopesOf({ UPLOAD_SCOPES }: StorageEnv): z.infer<typeof Scopes> {
  if (!UPLOAD_SCOPES) return {}
  const scopes = Scopes.safeParse(jsonIn(UPLOAD_SCOPES))
  if (scopes.success) return scopes.data
  throw notConfigured('UPLOAD_SCOPES must be a JSON object that has an object with limits for each scope.')
}

function jsonIn(text: string): unknown {
  try {
    return parseText(text)
  } catch {
    return undefined
  }
}
