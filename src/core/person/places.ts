// The places where a component stores data of persons, and the steps that erase and export the data of one person.
import { formatTime } from '#core/http/time'

/** The identifiers of one person, at least one. A phone has its digits alone, an email address is in lower case. */
export interface Person {
  /** The person's name in any column of users: owner, recipient, sender or author. */
  user?: string | undefined
  /** The person's name in columns of recipients. */
  recipient?: string | undefined
  phone?: string | undefined
  email?: string | undefined
  /** The id of a chat with a bot. */
  chat_id?: string | undefined
}

/** One step of an erasure. `next` is the cursor of the next step; undefined after the last one. */
interface ErasureStep {
  erased: number
  next?: string | undefined
  /** Whether the place waits for something, such as a request that is being sent. The caller repeats `next` after a pause. */
  waits?: boolean
}

/** One page of an export. */
interface ExportPage {
  rows: Record<string, unknown>[]
  next?: string | undefined
}

/** A place of a component with data of persons, such as a table or the storage of durable objects. */
export interface PersonalPlace<Env> {
  /** Name in the counts of an erasure and in the lines of an export. */
  name: string
  /**
   * The columns by which the person is found, by table. `*` stands for the id in the name of a table that is created at run time.
   * A test compares them with all tables of the project.
   */
  columns: Record<string, readonly string[]>
  /**
   * The most calls to other services that one step makes: statements of a database, calls of durable objects. Default: 5.
   */
  subrequests?: number
  /**
   * Erases a bounded number of rows. Idempotent: after a crash the step runs again. A step that finds nothing more returns no
   * cursor.
   */
  erase(env: Env, person: Person, cursor: string | undefined): Promise<ErasureStep>
  /** Reads a bounded number of rows. Without it, the place has nothing to export. */
  read?(env: Env, person: Person, cursor: string | undefined): Promise<ExportPage>
}

/** The result of one call to a component: the numbers of erased rows, by place, and the cursor of the next call. */
export interface ErasureReply {
  erased: Record<string, number>
  next?: string | undefined
  /** Whether the next call must be made after a pause. */
  waits?: boolean
}

/** A part of an export: rows with the names of their places, and the cursor of the next call. */
interface ExportReply {
  rows: { place: string; row: Record<string, unknown> }[]
  next?: string | undefined
}

/** The RPC methods with which the gateway erases and exports the data of a person in a component. */
export interface Erasable {
  erasePerson(person: Person, cursor?: string): Promise<ErasureReply>
  exportPerson(person: Person, cursor?: string): Promise<ExportReply>
}

/**
 * Subrequests of one call, and of one step of a place that declares no other number. Workers Free allows 50 subrequests and 50 queries in
 * an invocation; the rest is for access and audit.
 */
const maxSubrequests = 40
const defaultSubrequests = 5

/** Whether a call that has made `spent` subrequests may make another step. The first one is always made. */
const mayStep = <Env>(spent: number, { subrequests = defaultSubrequests }: PersonalPlace<Env>) =>
  spent === 0 || spent + subrequests <= maxSubrequests

/** Runs the next steps of an erasure. */
export async function eraseSteps<Env>(
  places: readonly PersonalPlace<Env>[],
  env: Env,
  person: Person,
  cursor?: string,
): Promise<ErasureReply> {
  const erased: Record<string, number> = {}
  let at = positionOf(places, cursor)
  for (let spent = 0; at && mayStep(spent, at.place); ) {
    const { place } = at
    spent += place.subrequests ?? defaultSubrequests
    const done = await place.erase(env, person, at.inner)
    if (done.erased > 0) erased[place.name] = (erased[place.name] ?? 0) + done.erased
    at = positionAfter(places, at, done.next)
    if (done.waits) return { erased, next: at && cursorOf(at), waits: true }
  }
  return { erased, next: at && cursorOf(at) }
}

/** Reads the next part of an export: one page of one place. Places without rows are skipped. */
export async function exportStep<Env>(
  places: readonly PersonalPlace<Env>[],
  env: Env,
  person: Person,
  cursor?: string,
): Promise<ExportReply> {
  let at = positionOf(places, cursor)
  for (let spent = 0; at && mayStep(spent, at.place); ) {
    const { place, inner } = at
    spent += place.subrequests ?? defaultSubrequests
    const page: ExportPage = (await place.read?.(env, person, inner)) ?? { rows: [] }
    at = positionAfter(places, at, page.next)
    const rows = page.rows.map((row) => ({ place: place.name, row: withTexts(row) }))
    if (rows.length > 0) return { rows, next: at && cursorOf(at) }
  }
  return { rows: [], next: at && cursorOf(at) }
}

/** A place and the cursor inside of it. */
interface Position<Env> {
  place: PersonalPlace<Env>
  inner: string | undefined
}

/** Positions have the place's name, not its index: a deployment may add places while an operation is running. */
function positionOf<Env>(places: readonly PersonalPlace<Env>[], cursor: string | undefined): Position<Env> | undefined {
  const [name, inner] = cursor === undefined ? [] : (JSON.parse(cursor) as [string, string?])
  const place = places.find((place) => place.name === name)
  return place ? { place, inner } : places[0] && { place: places[0], inner: undefined }
}

function positionAfter<Env>(
  places: readonly PersonalPlace<Env>[],
  { place }: Position<Env>,
  next: string | undefined,
): Position<Env> | undefined {
  if (next !== undefined) return { place, inner: next }
  const following = places[places.indexOf(place) + 1]
  return following && { place: following, inner: undefined }
}

const cursorOf = <Env>({ place, inner }: Position<Env>) =>
  JSON.stringify(inner === undefined ? [place.name] : [place.name, inner])

/** Times as in replies of the API. */
const withTexts = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? formatTime(value) : value]),
  )
