// Data of persons in the deliveries: the recipients in the ledger of each delivery.
import { asc, gt } from 'drizzle-orm'
import { open } from '#core/db/open'
import type { PersonalPlace } from '#core/person/places'
import type { Env } from './bindings.ts'
import { schema } from './schema.ts'

/** The cursor: the last delivery that is done, and the last recipient in the next one. */
type Position = [delivery: number, recipient: number]

/** The next delivery after an id. */
async function nextDelivery(env: Env, after: number) {
  const { db, deliveries } = open(env, schema)
  const [row] = await db
    .select({ id: deliveries.id, ledger: deliveries.ledger })
    .from(deliveries)
    .where(gt(deliveries.id, after))
    .orderBy(asc(deliveries.id))
    .limit(1)
  return row
}

const positionOf = (cursor = '[0,0]') => JSON.parse(cursor) as Position

/** The same delivery if its ledger has more recipients, else the next delivery. */
const nextOf = ([delivery]: Position, id: number, next: number | undefined) =>
  JSON.stringify(next === undefined ? [id, 0] : [delivery, next])

const recipients: PersonalPlace<Env> = {
  name: 'recipients',
  columns: { recipients: ['data'], targets: ['hash'] },

  async erase(env, person, cursor) {
    const position = positionOf(cursor)
    const row = await nextDelivery(env, position[0])
    if (!row) return { erased: 0 }
    const visit = { person, after: position[1], isErasure: true }
    const { erased, next } = await env.LEDGER.getByName(row.ledger).visitPerson(visit)
    return { erased, next: nextOf(position, row.id, next) }
  },

  async read(env, person, cursor) {
    const position = positionOf(cursor)
    const row = await nextDelivery(env, position[0])
    if (!row) return { rows: [] }
    const visit = { person, after: position[1], isErasure: false }
    const visited = await env.LEDGER.getByName(row.ledger).visitPerson(visit)
    const rows = visited.rows.map((recipient) => ({ delivery: row.id, recipient: JSON.parse(recipient) as unknown }))
    return { rows, next: nextOf(position, row.id, visited.next) }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [recipients]
