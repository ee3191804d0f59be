// Finds the schedules of a worker whose tasks mention a person.
import type { Person } from '#core/person/places'
import { charactersOf, type RequestContent, readRequest } from './person-requests.ts'
import { readScheduled } from './schedules.ts'

/** Characters of tasks after which a step ends. A worker has at most 1 000 schedules. */
const charactersPerStep = 4_000_000

/** A schedule of the person, with the texts of its task. */
interface MentioningSchedule extends RequestContent {
  name: string
  cron: string
  timezone: string
}

export interface ScheduleMatches {
  schedules: MentioningSchedule[]
  /** The last schedule of the step, if more may follow. */
  next?: string | undefined
}

/** The schedules after a name whose tasks mention the person. Encrypted payloads are decrypted. */
export async function findSchedules(
  sql: SqlStorage,
  secret: string | undefined,
  person: Person,
  after: string,
): Promise<ScheduleMatches> {
  const schedules: MentioningSchedule[] = []
  const { rows, next } = readStep(sql, after)
  for (const { name, cron, timezone, task } of rows) {
    const { isTheirs, content } = await readRequest(secret, person, task)
    if (isTheirs) schedules.push({ name, cron, timezone, ...content })
  }
  return { schedules, next }
}

type ReadSchedule = ReturnType<typeof readScheduled> extends Iterable<infer Row> ? Row : never

function readStep(sql: SqlStorage, after: string): { rows: ReadSchedule[]; next?: string } {
  const rows: ReadSchedule[] = []
  let characters = 0
  for (const row of readScheduled(sql, after)) {
    rows.push(row)
    characters += charactersOf(row.task)
    if (characters > charactersPerStep) return { rows, next: row.name }
  }
  return { rows }
}
