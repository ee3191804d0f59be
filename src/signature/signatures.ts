// Saves, reads, verifies and deletes signatures. Large signed data is stored in R2, small in the database.
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { open } from '#core/db/open'
import { encodeBase64, streamBase64 } from './base64-stream.ts'
import type { Env } from './bindings.ts'
import type { NewSignature, SignatureOf, Verified, VersionOf } from './contract.ts'
import { failure, missingSignature } from './errors.ts'
import { deleteObject, putObject } from './r2-objects.ts'
import { type SignatureStore, schema } from './schema.ts'
import { parseSignedData } from './signed/parser.ts'
import { verifySignedData } from './signed/verifier.ts'
import { signerReply, signersJson } from './signer-json.ts'
import { addVersion, findVersion, isRecord } from './versions.ts'

/**
 * Maximum size of signed data in the database, in bytes. Larger data is stored in R2: a D1 row has at most 2 MB, and base64 adds a
 * third.
 */
const maxInlineBytes = 1_000_000

/**
 * Saves signed data as the next version of its record. Throws 409 `version_conflict` with the newest version if `version` is not
 * the newest one.
 */
export async function saveSignature(env: Env, { cms, version: after, ...fields }: NewSignature) {
  const store = open(env, schema)
  const { format, bytes, signers } = await parseSignedData(cms)
  const versionFields = { format, signers: signersJson(signers), version_created_at: new Date() }
  const storage =
    bytes.length > maxInlineBytes
      ? { object: await putObject(env, store, bytes), signature: null }
      : { object: null, signature: bytes.toBase64() }
  const { saved, current } = await addVersion(store, {
    ...fields,
    ...versionFields,
    ...storage,
    size: bytes.length,
    after,
  })
  const reply = {
    ...fields,
    ...versionFields,
    tags: JSON.stringify(fields.tags),
    signature: storage.signature ?? encodeBase64(bytes),
  }
  if (saved) return { ...reply, ...saved }
  if (storage.object !== null) await deleteObject(env, store, storage.object)
  throw conflict(current, after)
}

function conflict(newest: number, requested: number) {
  const current = newest === 0 ? 'No version is stored yet' : `The newest version is ${newest}`
  return failure('version_conflict', `version must be the newest one. ${current}, got ${requested}.`, {
    content: { version: newest },
  })
}

/** Reads a version with its signed data, by default the newest. Throws 404 if there is none. */
export async function readSignature(env: Env, request: VersionOf) {
  const { version, object } = await findWithObject(env, request)
  return { ...version, signature: object ? streamBase64(object.body) : version.signature! }
}

/** Reads a version as `readSignature` does, but with the signed data as bytes, for the verification. */
async function readBytes(env: Env, request: VersionOf) {
  const { version, object } = await findWithObject(env, request)
  const bytes = object ? new Uint8Array(await object.arrayBuffer()) : Uint8Array.fromBase64(version.signature!)
  return { ...version, bytes }
}

/**
 * Finds a version, and its object in R2 if it has one. If the object is missing, the version is read again. Throws 404 if the
 * version was deleted in the meantime; otherwise R2 has lost the data, which is a 500.
 */
async function findWithObject(env: Env, request: VersionOf) {
  const store = open(env, schema)
  const version = await findVersion(store, request)
  if (version.object === null) return { version }
  const object = await env.FILES.get(version.object)
  if (object) return { version, object }
  const { object: key } = await findVersion(store, request)
  if (key !== version.object) throw missingSignature(request)
  throw new Error(`R2 has lost the object ${key}`)
}

/** Verifies a stored signature or the signed data in `cms`, and returns the result as the API shows it. */
export async function verifySignature(env: Env, params: Verified) {
  const { format, bytes } = await readSigned(env, params)
  const { result, signers } = await verifySignedData(bytes, format, params.content)
  return { format, result, signers: signers.map(signerReply) }
}

const readSigned = (env: Env, { cms, document = '', thread = '', version }: Verified) =>
  cms === undefined ? readBytes(env, { document, thread, version }) : parseSignedData(cms)

/**
 * Deletes a record with its versions and tags, and lists their R2 objects as orphaned, for the sweep. Throws 404 if there is no
 * such record.
 */
export async function deleteRecord(store: SignatureStore, signature: SignatureOf): Promise<void> {
  const { db, records, versions, tags, orphans } = store
  const save = crypto.randomUUID()
  const isLocked = and(isRecord(store, signature), eq(records.save, save))
  const id = sql`(SELECT id FROM ${records} WHERE ${isLocked})`
  const now = sql.param(new Date(), orphans.due_at)
  const [, , , , deleted] = await db.batch([
    // On Postgres, this update waits for a save in progress and locks the record. The following statements select by the new
    // `save`, so that they do not touch a record with the same document and thread that is created in the meantime.
    db.update(records).set({ save }).where(isRecord(store, signature)),
    store.run(sql`
      INSERT INTO ${orphans} (object, due_at)
      SELECT object, ${now} FROM ${versions} WHERE ${and(eq(versions.record_id, id), isNotNull(versions.object))}`),
    db.delete(tags).where(eq(tags.record_id, id)),
    db.delete(versions).where(eq(versions.record_id, id)),
    db.delete(records).where(isLocked).returning({ id: records.id }),
  ])
  if (deleted.length === 0) throw missingSignature(signature)
}
