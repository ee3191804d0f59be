import { open } from '#core/db/open'
import { base64In } from './base64.ts'
import type { Env } from './bindings.ts'
import type { VersionOf } from './contract.ts'
import { missingSignature } from './errors.ts'
import { schema } from './schema.ts'
import { findVersion } from './versions.ts'

/** A version of a record with its signature, the newest unless one is named; 404 where there is none. */
export async function readSignature(env: Env, asked: VersionOf) {
  const { version, object } = await find(env, asked)
  return { ...version, signature: object ? base64In(object.body) : version.signature! }
}

/** The same with its bytes. */
export async function readBytes(env: Env, asked: VersionOf) {
  const { version, object } = await find(env, asked)
  const bytes = object ? new Uint8Array(await object.arrayBuffer()) : Uint8Array.fromBase64(version.signature!)
  return { ...version, bytes }
}

/** A version, and what R2 has of it. */
async function find(env: Env, asked: VersionOf) {
  const store = open(env, schema)
  const version = await findVersion(store, asked)
  if (version.object === null) return { version }
  const object = await env.FILES.get(version.object)
  if (object) return { version, object }
  const { object: key } = await findVersion(store, asked)
  if (key !== version.object) throw missingSignature(asked)
  throw new Error(`R2 has lost the object ${key}`)
}
