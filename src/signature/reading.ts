import { and, eq, or } from 'drizzle-orm'
import { chunksOf } from '#core/chunks'
import { open } from '#core/db/open'
import { base64In } from './base64.ts'
import type { Env } from './bindings.ts'
import type { SignatureFilter } from './contract.ts'
import { listRecords, readAtOnce } from './listing.ts'
import { type SignatureStore, schema } from './schema.ts'

type Row = Awaited<ReturnType<typeof listRecords>>['rows'][number]

/** A page of signatures by their newest versions, what stands beside them, and how many bytes they have, or a few more. */
export async function readPage(env: Env, filter: SignatureFilter) {
  const store = open(env, schema)
  const { rows, ...rest } = await listRecords(store, filter)
  return { signatures: readRows(env, store, rows), rest, size: rows.at(-1)?.total ?? 0 }
}

/** The rows as they are listed, read as they are asked for. One that is deleted meanwhile is left out. */
async function* readRows(env: Env, store: SignatureStore, rows: Row[]) {
  for (const group of Map.groupBy(rows, ({ total }) => Math.floor(total / readAtOnce)).values()) {
    const texts = await readTexts(
      store,
      group.filter(({ signature, object }) => signature === null && object === null),
    )
    for (const row of group) {
      const object = row.object === null ? null : await env.FILES.get(row.object)
      const signature = row.signature ?? texts.get(row.id) ?? (object && base64In(object.body))
      if (signature) yield { ...row, ...placeOf(row), signature }
    }
  }
}

const placeOf = ({ thread, version }: Row) => ({
  chain: thread,
  stage: String(version),
  parent: version > 1 ? version - 1 : null,
})

/** D1 binds 100 parameters to a statement. */
const versionsPerStatement = 45

/** The signatures that rows have, by the ids of their records. */
async function readTexts({ db, versions }: SignatureStore, rows: Row[]): Promise<Map<number, string | null>> {
  const { record_id: id, version, signature } = versions
  const texts = new Map<number, string | null>()
  for (const chunk of chunksOf(rows, versionsPerStatement)) {
    const isOne = or(...chunk.map((row) => and(eq(id, row.id), eq(version, row.version))))
    for (const row of await db.select({ id, signature }).from(versions).where(isOne)) texts.set(row.id, row.signature)
  }
  return texts
}
