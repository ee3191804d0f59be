import { eq } from 'drizzle-orm'
import type { AccessStore } from './schema.ts'

const idSecretName = 'id_secret'

/** The secret of the check characters in ids of keys. It is made once. */
export async function readIdSecret({ db, settings }: AccessStore): Promise<string> {
  const isIdSecret = eq(settings.name, idSecretName)
  const [known] = await db.select().from(settings).where(isIdSecret)
  if (known) return known.value
  const value = crypto.getRandomValues(new Uint8Array(32)).toHex()
  const [, rows] = await db.batch([
    db.insert(settings).values({ name: idSecretName, value }).onConflictDoNothing(),
    db.select().from(settings).where(isIdSecret),
  ])
  return rows[0]!.value
}
