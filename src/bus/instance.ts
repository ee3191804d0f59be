import { eq } from 'drizzle-orm'
import type { Bus } from './schema.ts'

// It is made once, before the first request, and stays.
const known = new WeakMap<Bus, string>()

/** The name of this instance: random, and its database's for good. */
export async function instanceName(bus: Bus): Promise<string> {
  const { db, settings } = bus
  const remembered = known.get(bus)
  if (remembered) return remembered
  const [row] = await db.select().from(settings).where(eq(settings.name, 'instance'))
  known.set(bus, row!.value)
  return row!.value
}
