// Finds the tasks of a worker whose payload has an identifier of a person, and erases their payloads.
import { mentionsPerson } from '#core/person/mentions'
import type { Person } from '#core/person/places'
import type { StoredResponse } from './attempts.ts'
import { unseal } from './seal.ts'
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
  attempts: number
  kind: string
} & Omit<Payload, 'headers'>

/** A body as text. Bytes are decoded as UTF-8. */
const textOf = (body: Payload['body']) => (body instanceof ArrayBuffer ? new TextDecoder().decode(body) : body)

const decoded = (base64: string | undefined) => base64 && new TextDecoder().decode(Uint8Array.fromBase64(base64))

/** A task of the person, with the texts of its payload. */
interface MentioningTask {
  id: number
  url: string
  created_at: Date
  json: string | null
  body: string | null
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
  for (const { json, body, sealed, ...row } of rows) {
    const { id, url, created_at } = row
    const secrets = sealed ? await unseal(secret, sealed).catch(() => undefined) : undefined
    const task = {
      id,
      url: withoutQuery(url),
      created_at: new Date(created_at),
      json: json ?? secrets?.json ?? null,
      body: textOf(body) ?? secrets?.body ?? decoded(secrets?.bytes) ?? null,
    }
    const texts = [task.json, task.body, url.slice(task.url.length + 1)]
    const isSent = texts.some((text) => text && mentionsPerson(person, text))
    if (isSent || responsesOf(sql, row).some((body) => isInResponse(person, body))) tasks.push(task)
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
    `SELECT id, kind, url, created_at, attempts, response, json, body, sealed FROM tasks WHERE id > ? AND kind <> 'piece' ORDER BY id LIMIT ?`,
    ...[after, tasksPerStep],
  )
  for (const row of found) {
    rows.push(row)
    characters += (row.json?.length ?? 0) + (textOf(row.body)?.length ?? 0) + (row.sealed?.byteLength ?? 0)
    if (rows.length === tasksPerStep || characters > charactersPerStep) return { rows, next: row.id }
  }
  return { rows }
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '')

/**
 * Erases the payloads of tasks, and cancels those that have not ended. A request that is being sent is not aborted. The tasks cannot be
 * retried afterwards, like one whose secrets were deleted.
 */
export function erasePayloads(sql: SqlStorage, tasks: Pick<MentioningTask, 'id'>[], now: number): void {
  for (const { id } of tasks) erasePayload(sql, id, now)
}

function erasePayload(sql: SqlStorage, number: number, now: number): void {
  // The retention may have deleted the task since it was found.
  const [row] = sql.exec<Pick<TaskRow, 'state' | 'url'>>('SELECT state, url FROM tasks WHERE id = ?', number)
  if (!row) return
  if (!hasEnded(row)) cancelTask(sql, number, now)
  sql.exec('DELETE FROM attempts WHERE task = ?', number)
  const erased = 'headers = NULL, json = NULL, body = NULL, sealed = NULL, response = NULL, is_sealed = 1'
  sql.exec(`UPDATE tasks SET ${erased}, url = ? WHERE id = ?`, withoutQuery(row.url), number)
}
