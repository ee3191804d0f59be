import { open } from '#core/db/open'
import { base64Of } from './base64.ts'
import type { Env } from './bindings.ts'
import type { NewSignature } from './contract.ts'
import { failure } from './errors.ts'
import { dropObject, putObject } from './objects.ts'
import { schema } from './schema.ts'
import { parseSigned } from './signed/parsing.ts'
import { signersText } from './signers.ts'
import { addVersion } from './versions.ts'

/** Bytes of signed data that a row holds: D1's hold 2 MB, of which base64 takes a third more. */
const mostInRow = 1_000_000

/** Keeps signed data as the next version of its record; 409 with the newest where that is not the one that it follows. */
export async function saveSignature(env: Env, { cms, version: after, ...given }: NewSignature) {
  const store = open(env, schema)
  const { format, bytes, signers } = await parseSigned(cms)
  const made = { format, signers: signersText(signers), version_created_at: new Date() }
  const kept =
    bytes.length > mostInRow
      ? { object: await putObject(env, store, bytes), signature: null }
      : { object: null, signature: bytes.toBase64() }
  const { saved, current } = await addVersion(store, { ...given, ...made, ...kept, size: bytes.length, after })
  const shown = { ...given, ...made, tags: JSON.stringify(given.tags), signature: kept.signature ?? base64Of(bytes) }
  if (saved) return { ...shown, ...saved }
  if (kept.object !== null) await dropObject(env, store, kept.object)
  throw conflict(current, after)
}

function conflict(newest: number, given: number) {
  const found = newest === 0 ? 'No version is stored yet' : `The newest version is ${newest}`
  return failure('version_conflict', `version must be the newest one. ${found}, got ${given}.`, {
    content: { version: newest },
  })
}
