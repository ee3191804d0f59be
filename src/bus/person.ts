// Data of persons in the bus: documents whose data mentions the person lose their content and are not delivered any more, and
// attempts whose answer does lose the answer.
import { and, asc, eq, gt, inArray, lte, max, or, sql } from 'drizzle-orm'
import { isTableGone } from '#core/db/missing-table'
import { open } from '#core/db/open'
import { mentionsPerson } from '#core/person/mentions'
import type { Person, PersonalPlace } from '#core/person/places'
import { mayMention } from '#core/person/prefilter'
import { deleteAttempts } from './attempts.ts'
import type { Env } from './bindings.ts'
import { failDeliveries } from './deliveries.ts'
import { idsIn } from './id-list.ts'
import { type Bus, documentsOf, schema } from './schema.ts'

/** Documents that one step searches, and those that it reads: each has up to a megabyte. */
const documentsPerStep = 500
const candidatesPerStep = 10

/** Attempts that one step searches: each has up to a kilobyte. */
const attemptsPerStep = 1_000

/** The cursor: the last collection that is done, and the last document in the next one. */
type Position = [collection: number, document: number]

interface DocumentMatches {
  collection: { id: number; name: string }
  rows: { id: number; event: string; uuid: string; data: string; created_at: Date }[]
  next: Position
}

/** The documents of the next step that mention the person. */
async function findMentions(
  bus: Bus,
  person: Person,
  [after, afterDocument]: Position,
): Promise<DocumentMatches | undefined> {
  const { db, collections } = bus
  const [collection] = await db
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(and(eq(collections.is_ready, true), gt(collections.id, after)))
    .orderBy(asc(collections.id))
    .limit(1)
  if (!collection) return undefined
  const following: Position = [collection.id, 0]
  try {
    const { rows, last } = await readCandidates(bus, collection.id, person, afterDocument)
    const isTheirs = ({ data, body }: (typeof rows)[number]) =>
      mentionsPerson(person, data) || (body !== null && mentionsPerson(person, body))
    return { collection, rows: rows.filter(isTheirs), next: last === undefined ? following : [after, last] }
  } catch (error) {
    // The collection was deleted meanwhile.
    if (isTableGone(error)) return { collection, rows: [], next: following }
    throw error
  }
}

/** The documents after an id that may mention the person. `last` is where the next step begins, if more documents may follow. */
async function readCandidates(bus: Bus, collection: number, person: Person, after: number) {
  const { db, kit } = bus
  const documents = documentsOf(bus, collection)
  const { id, event, uuid, data, body, created_at } = documents
  const range = db
    .select({ id })
    .from(documents)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(documentsPerStep)
    .as('range')
  const [end] = await db.select({ last: max(range.id), n: sql<number>`count(*)`.mapWith(Number) }).from(range)
  if (!end || end.last === null) return { rows: [], last: undefined }
  const rows = await db
    .select({ id, event, uuid, data, body, created_at })
    .from(documents)
    .where(and(gt(id, after), lte(id, end.last), or(mayMention(kit, data, person), mayMention(kit, body, person))))
    .orderBy(asc(id))
    .limit(candidatesPerStep)
  if (rows.length === candidatesPerStep) return { rows, last: rows.at(-1)!.id }
  return { rows, last: end.n === documentsPerStep ? end.last : undefined }
}

const positionOf = (cursor = '[0,0]') => JSON.parse(cursor) as Position

/** A document that waits for its delivery fails. Rows are kept, since a repeat of their uuid must not create another document. */
const erasedColumns = {
  data: '{}',
  webhook: null,
  body: null,
  status_code: null,
  next_at: null,
  lease_until: null,
  holder: null,
}

const documents: PersonalPlace<Env> = {
  name: 'documents',
  columns: { 'bus_documents_*': ['data', 'body'] },

  async erase(env, person, cursor) {
    const bus = open(env, schema)
    const found = await findMentions(bus, person, positionOf(cursor))
    if (!found) return { erased: 0 }
    const ids = found.rows.map(({ id }) => id)
    const documents = documentsOf(bus, found.collection.id)
    const state = sql`CASE WHEN ${documents.state} = 'waiting' THEN 'failed' ELSE ${documents.state} END`
    if (ids.length > 0)
      await bus.db.batch([
        bus.db
          .update(documents)
          .set({ ...erasedColumns, state })
          .where(inArray(documents.id, ids)),
        deleteAttempts(bus, found.collection.id, inArray(bus.attempts.document, ids)),
        failDeliveries(bus, found.collection.id, ids),
      ])
    return { erased: ids.length, next: JSON.stringify(found.next) }
  },

  async read(env, person, cursor) {
    const found = await findMentions(open(env, schema), person, positionOf(cursor))
    if (!found) return { rows: [] }
    const rows = found.rows.map(({ id, event, uuid, data, created_at }) => ({
      collection: found.collection.name,
      ...{ id, event, uuid, data, created_at },
    }))
    return { rows, next: JSON.stringify(found.next) }
  },
}

/** The attempts after an id whose answer mentions the person. `last` is where the next step begins, if more may follow. */
async function findAnswers({ db, attempts }: Bus, person: Person, after: number) {
  const { id } = attempts
  const range = db
    .select({ id })
    .from(attempts)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(attemptsPerStep)
    .as('range')
  const [end] = await db.select({ last: max(range.id), n: sql<number>`count(*)`.mapWith(Number) }).from(range)
  if (!end || end.last === null) return { rows: [], last: undefined }
  const candidates = await db
    .select()
    .from(attempts)
    .where(and(gt(id, after), lte(id, end.last)))
    .orderBy(asc(id))
    .limit(attemptsPerStep)
  const rows = candidates.filter((row) => row.body !== null && isInExcerpt(person, row.body))
  return { rows, last: end.n === attemptsPerStep ? end.last : undefined }
}

/**
 * Whether the beginning of an answer has an identifier of the person. It is cut, so that its fields cannot be parsed reliably: each
 * string with the identifier counts.
 */
function isInExcerpt(person: Person, text: string): boolean {
  const { user, recipient, phone, email } = person
  // An answer may have JSON in a string, whose quotes are escaped.
  const isQuoted = (value: string | undefined) =>
    value !== undefined && text.replaceAll('\\', '').includes(`"${value}"`)
  return (
    mentionsPerson(person, text) ||
    isQuoted(user) ||
    isQuoted(recipient) ||
    (phone !== undefined && text.replaceAll(/[+\s().-]/g, '').includes(phone)) ||
    (email !== undefined && text.toLowerCase().includes(email))
  )
}

const answers: PersonalPlace<Env> = {
  name: 'attempts',
  columns: { bus_attempts: ['headers', 'body'] },

  async erase(env, person, cursor) {
    const bus = open(env, schema)
    const { rows, last } = await findAnswers(bus, person, Number(cursor ?? 0))
    const ids = JSON.stringify(rows.map(({ id }) => id))
    if (rows.length > 0)
      await bus.db
        .update(bus.attempts)
        .set({ headers: null, body: null })
        .where(sql`${bus.attempts.id} IN (${idsIn(bus, ids)})`)
    return { erased: rows.length, ...(last !== undefined && { next: String(last) }) }
  },

  async read(env, person, cursor) {
    const { rows, last } = await findAnswers(open(env, schema), person, Number(cursor ?? 0))
    return { rows, ...(last !== undefined && { next: String(last) }) }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [documents, answers]
