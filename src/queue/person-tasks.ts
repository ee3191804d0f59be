// Finds the tasks of a worker whose payload has an identifier of a person, and erases their payloads.
import { mentionsPerson } from '#core/person/mentions'
import type { Person } from '#core/person/places'
import type { StoredResponse } from './attempts.ts'
import type { OnWaiting } from './callbacks.ts'
import { charactersOf, type RequestContent, readRequest, withoutQuery } from './person-requests.ts'
import type { Payload, TaskRow } from './tables.ts'
import { cancelTask } from './task-actions.ts'
import { hasEnded } from './tasks.ts'

/** Tasks that one step reads, and the characters of their payloads after which the step ends. */
const tasksPerStep = 500
const charactersPerStep = 4_000_000

type PayloadRow = {
  id: number
  url: string
  created_at: number
  response: string | null
  on_success: string | null
  on_failure: string | null
  attempts: number
  kind: string
} & Payload

/** A task of the person, with the texts of its payload. */
interface MentioningTask extends RequestContent {
  id: number
  created_at: Date
}

export interface TaskMatches {
  tasks: MentioningTask[]
  /** The last task of the step, if more may follow. */
  next?: number | undefined
}

/** The tasks and fractions after a number that mention the person. Encrypted payloads are decrypted. */
export async function findMentions(
  sql: SqlStorage,
  secret: string | undefined,
  person: Person,
  after: number,
): Promise<TaskMatches> {
  const { rows, next } = readPayloads(sql, after)
  const tasks: MentioningTask[] = []
  for (const row of rows) {
    const { isTheirs, content } = await readRequest(secret, person, row)
    if (isTheirs || responsesOf(sql, row).some((body) => isInResponse(person, body)))
      tasks.push({ id: row.id, created_at: new Date(row.created_at), ...content })
  }
  return { tasks, next }
}

/** The bodies of the stored responses of a task's attempts. */
function responsesOf(sql: SqlStorage, { id, response, attempts, kind }: Omit<PayloadRow, keyof Payload>): string[] {
  const hasEarlier = attempts > 1 || kind === 'fraction'
  const earlier = 'SELECT response FROM attempts WHERE task = ?'
  const stored = hasEarlier ? sql.exec<{ response: string | null }>(earlier, id).toArray() : []
  return [{ response }, ...stored].flatMap(({ response }) => (response === null ? [] : (bodyIn(response) ?? [])))
}

const bodyIn = (response: string) => (JSON.parse(response) as StoredResponse)[2]

/** A stored response may be cut, so that it cannot be parsed: a phone number or an email address is also found as a part of it. */
const isInResponse = (person: Person, body: string) =>
  mentionsPerson(person, body) ||
  [person.phone, person.email].some((one) => one !== undefined && body.toLowerCase().includes(one))

function readPayloads(sql: SqlStorage, after: number): { rows: PayloadRow[]; next?: number } {
  const rows: PayloadRow[] = []
  let characters = 0
  const found = sql.exec<PayloadRow>(
    `SELECT id, kind, url, created_at, attempts, response, on_success, on_failure, headers, json, body, sealed FROM tasks WHERE id > ? AND kind <> 'piece' ORDER BY id LIMIT ?`,
    ...[after, tasksPerStep],
  )
  for (const row of found) {
    rows.push(row)
    characters += charactersOf(row)
    if (rows.length === tasksPerStep || characters > charactersPerStep) return { rows, next: row.id }
  }
  return { rows }
}

/**
 * Erases the payloads of tasks, and cancels those that have not ended. A request that is being sent is not aborted: the erasure waits for
 * its end. The tasks cannot be retried afterwards, like one whose secrets were deleted.
 */
export function erasePayloads(
  sql: SqlStorage,
  tasks: Pick<MentioningTask, 'id'>[],
  now: number,
  onWaiting?: OnWaiting,
): void {
  for (const { id } of tasks) erasePayload(sql, id, now, onWaiting)
}

function erasePayload(sql: SqlStorage, number: number, now: number, onWaiting?: OnWaiting): void {
  // The retention may have deleted the task since it was found.
  const [row] = sql.exec<Pick<TaskRow, 'state' | 'url' | 'on_success' | 'on_failure'>>(
    'SELECT state, url, on_success, on_failure FROM tasks WHERE id = ?',
    number,
  )
  if (!row) return
  if (!hasEnded(row)) cancelTask(sql, number, now, onWaiting)
  sql.exec('DELETE FROM attempts WHERE task = ?', number)
  const erased = 'headers = NULL, json = NULL, body = NULL, sealed = NULL, response = NULL, is_sealed = 1'
  const urls = [row.url, row.on_success, row.on_failure].map((url) => url && withoutQuery(url))
  sql.exec(`UPDATE tasks SET ${erased}, url = ?, on_success = ?, on_failure = ? WHERE id = ?`, ...urls, number)
}

/**
 * Whether requests of erased tasks are still being sent, which may write to other components. Bounded by the timeouts of the tasks. Call
 * `flush` before.
 */
export function isSendingErased(sql: SqlStorage): boolean {
  const isErased = (task: string) =>
    `${task}.is_sealed = 1 AND coalesce(${task}.headers, ${task}.json, ${task}.body, ${task}.sealed) IS NULL`
  const found = sql.exec(
    `SELECT 1 FROM tasks AS sent LEFT JOIN tasks AS owner ON owner.id = sent.parent
     WHERE sent.state = 'running' AND sent.kind <> 'fraction'
       AND (sent.parent IS NULL AND sent.is_canceled = 1 AND ${isErased('sent')} OR ${isErased('owner')}) LIMIT 1`,
  )
  return found.toArray().length > 0
}
