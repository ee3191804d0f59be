import { and, eq, or } from 'drizzle-orm'
import type { z } from 'zod'
import { chunksOf } from '#core/chunks'
import type { ListedSignature } from './contract.ts'
import type { Env } from './env.ts'
import { type listRecords, readAtOnce } from './listing.ts'
import { readObject } from './objects.ts'
import type { SignatureStore } from './schema.ts'

export type Page = Awaited<ReturnType<typeof listRecords>>
type Row = Page['rows'][number]

/** The rows of a page as they are listed, with their signatures, some at a time. One that is deleted meanwhile is left out. */
export async function* readPage(
  env: Env,
  store: SignatureStore,
  { rows }: Page,
): AsyncGenerator<z.output<typeof ListedSignature>> {
  for (const group of Map.groupBy(rows, ({ total }) => Math.floor(total / readAtOnce)).values()) {
    const texts = await readTexts(
      store,
      group.filter(({ signature, object }) => signature === null && object === null),
    )
    for (const listed of await Promise.all(group.map((row) => listedAs(env, row, row.signature ?? texts.get(row.id)))))
      if (listed) yield listed
  }
}

async function listedAs(env: Env, row: Row, text: string | undefined) {
  const signature = text ?? (row.object === null ? undefined : (await readObject(env, row.object))?.toBase64())
  if (signature === undefined) return undefined
  const { thread, version } = row
  return { ...row, signature, chain: thread, stage: String(version), parent: version > 1 ? version - 1 : null }
}

/** D1 binds 100 parameters to a statement. */
const versionsPerStatement = 45

/** The signatures that rows have, by the ids of their records. */
async function readTexts({ db, versions }: SignatureStore, rows: Row[]): Promise<Map<number, string | undefined>> {
  const { record_id: id, version, signature } = versions
  const texts = new Map<number, string | undefined>()
  for (const chunk of chunksOf(rows, versionsPerStatement)) {
    const isOne = or(...chunk.map((row) => and(eq(id, row.id), eq(version, row.version))))
    for (const row of await db.select({ id, signature }).from(versions).where(isOne))
      texts.set(row.id, row.signature ?? undefined)
  }
  return texts
}
