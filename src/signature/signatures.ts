import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import { base64In, base64Of } from './base64-stream.ts'
import type { Env } from './bindings.ts'
import type { NewSignature, SignatureOf, Verified, VersionOf } from './contract.ts'
import { failure, missingSignature } from './errors.ts'
import { dropObject, putObject } from './r2-objects.ts'
import { type SignatureStore, schema } from './schema.ts'
import { parseSigned } from './signed/parser.ts'
import { verifySigned } from './signed/verifier.ts'
import { shownSigner, signersText } from './signer-json.ts'
import { addVersion, findVersion, isRecord } from './versions.ts'

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

/** A version of a record with its signature, the newest unless one is named; 404 where there is none. */
export async function readSignature(env: Env, asked: VersionOf) {
  const { version, object } = await find(env, asked)
  return { ...version, signature: object ? base64In(object.body) : version.signature! }
}

/** The same with its bytes. */
async function readBytes(env: Env, asked: VersionOf) {
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

/** What is true of a signature: a stored one, or one that is given. */
export async function verifySignature(env: Env, given: Verified) {
  const { format, bytes } = await signedOf(env, given)
  const { result, signers } = await verifySigned(bytes, format, given.content)
  return { format, result, signers: signers.map(shownSigner) }
}

const signedOf = (env: Env, { cms, document = '', thread = '', version }: Verified) =>
  cms === undefined ? readBytes(env, { document, thread, version }) : parseSigned(cms)

/** Deletes a record with its versions and tags, 404 where there is none; what they have in R2 is due to be removed. */
export async function deleteRecord(store: SignatureStore, given: SignatureOf): Promise<void> {
  const { db, records, versions, tags, traces } = store
  const save = crypto.randomUUID()
  const mine = and(isRecord(store, given), eq(records.save, save))
  const id = sql`(SELECT id FROM ${records} WHERE ${mine})`
  const now = sql.param(new Date(), traces.due_at)
  const [, , , , deleted] = await db.batch([
    // Waits for a save that is under way, on Postgres. The statements after it see all of the record that it holds then, and
    // leave alone one that has taken its place meanwhile.
    db.update(records).set({ save }).where(isRecord(store, given)),
    store.run(sql`
      INSERT INTO ${traces} (object, due_at)
      SELECT object, ${now} FROM ${versions} WHERE ${and(eq(versions.record_id, id), isNotNull(versions.object))}`),
    db.delete(tags).where(eq(tags.record_id, id)),
    db.delete(versions).where(eq(versions.record_id, id)),
    db.delete(records).where(mine).returning({ id: records.id }),
  ])
  if (deleted.length === 0) throw missingSignature(given)
}
