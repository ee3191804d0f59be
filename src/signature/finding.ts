import { open } from '#core/db/open'
import { missing } from '#core/failure'
import type { VersionOf } from './contract.ts'
import type { Env } from './env.ts'
import { readObject } from './objects.ts'
import { schema } from './schema.ts'
import { findVersion } from './versions.ts'

/** A version of a record with its signature, the newest unless one is named; 404 where there is none. */
export async function readSignature(env: Env, asked: VersionOf) {
  const store = open(env, schema)
  const found = await findVersion(store, asked)
  const signature = found.signature ?? (await readObject(env, found.object!))?.toBase64()
  if (signature !== undefined) return { ...found, signature }
  const { object } = await findVersion(store, asked)
  if (object !== found.object) throw missing('signature')
  throw new Error(`R2 has lost the object ${object}`)
}
