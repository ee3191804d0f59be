// Finds the recipients of a ledger that are one person, and erases them. Only recipients with messages that can still be sent are
// stored; of the others, the ledger has hashes.
import type { Person } from '#core/person/places'
import type { Channel } from '../contract.ts'
import { hashesOf, isRecipient, type Recipient } from '../recipients.ts'
import { move } from './counts.ts'
import { readHead } from './head.ts'
import { countSettled, inStep } from './step.ts'
import type { LedgerHead, MessageState } from './tables.ts'

/** Recipients that one step reads, and their total characters. */
const recipientsPerStep = 500
const charactersPerStep = 8_000_000

/** A step over the recipients after an id. */
export interface PersonVisit {
  person: Person
  after: number
  isErasure: boolean
}

/** The recipients of a step that are the person, as JSON, and the number of rows that the step has erased. */
export interface VisitedRecipients {
  rows: string[]
  erased: number
  /** The last recipient of the step, if more may follow. */
  next?: number | undefined
}

/** Finds a person among the recipients after an id, and erases the person if that is asked. */
export function visitPerson(sql: SqlStorage, visit: PersonVisit, now: number): VisitedRecipients {
  const { person, after, isErasure } = visit
  const { recipients, next } = findPerson(sql, person, after)
  const rows = recipients.map(({ data }) => JSON.stringify(data))
  return { rows, erased: isErasure ? erasePerson(sql, person, after, now).erased : 0, next }
}

interface RecipientMatches {
  recipients: { id: number; data: Recipient }[]
  /** The last recipient of the step, if more may follow. */
  next?: number | undefined
}

/** The person among the recipients after an id. */
export function findPerson(sql: SqlStorage, person: Person, after: number): RecipientMatches {
  const recipients: RecipientMatches['recipients'] = []
  let characters = 0
  let read = 0
  const rows = sql.exec<{ id: number; data: string }>(
    'SELECT id, data FROM recipients WHERE id > ? ORDER BY id LIMIT ?',
    ...[after, recipientsPerStep],
  )
  for (const { id, data } of rows) {
    const recipient = JSON.parse(data) as Recipient
    if (isRecipient(recipient, person)) recipients.push({ id, data: recipient })
    characters += data.length
    read++
    if (read === recipientsPerStep || characters > charactersPerStep) return { recipients, next: id }
  }
  return { recipients }
}

/** Erases the person among the recipients after an id, and the hashes of the person's phone and email address. */
export function erasePerson(sql: SqlStorage, person: Person, after: number, now: number) {
  const { ledger = '' } = readHead(sql) ?? {}
  const { recipients, next } = findPerson(sql, person, after)
  let erased = recipients.length
  for (const { channel, hash } of after === 0 ? hashesOf(ledger, person) : [])
    erased += sql.exec('DELETE FROM targets WHERE channel = ? AND hash = ? RETURNING 1', channel, hash).toArray().length
  if (recipients.length > 0)
    inStep(sql, now, (head, settledCounts) => {
      const ids = JSON.stringify(recipients.map(({ id }) => id))
      for (const message of messagesOf(sql, ids)) {
        if (isOpen(message.state)) countSettled(settledCounts, message.piece)
        eraseMessage(sql, head, message, now)
      }
      sql.exec('DELETE FROM recipients WHERE id IN (SELECT value FROM json_each(?))', ids)
    })
  return { erased, next }
}

type ErasedMessage = { id: number; piece: number; channel: Channel; state: MessageState | 'staged' }

/** Their messages. Recipients have no index by message, since a message costs mainly the rows that it writes. */
const messagesOf = (sql: SqlStorage, recipients: string): ErasedMessage[] =>
  sql
    .exec<ErasedMessage>(
      'SELECT id, piece, channel, state FROM messages WHERE recipient IN (SELECT value FROM json_each(?))',
      recipients,
    )
    .toArray()

const isOpen = (state: ErasedMessage['state']): state is 'queued' | 'claimed' =>
  state === 'queued' || state === 'claimed'

/** A queued message is skipped, one that is being sent may have been sent. Its later outcome is ignored, as after an expired claim. */
function eraseMessage(sql: SqlStorage, head: LedgerHead, { id, channel, state }: ErasedMessage, now: number): void {
  sql.exec('DELETE FROM targets WHERE message = ?', id)
  if (state === 'staged') sql.exec('DELETE FROM messages WHERE id = ?', id)
  else if (isOpen(state)) {
    const end = state === 'queued' ? 'skipped' : 'unknown'
    sql.exec(`UPDATE messages SET state = ?, reason = 'erased', at = ?, recipient = NULL WHERE id = ?`, end, now, id)
    move(head, channel, state, end, 'erased')
  } else sql.exec('UPDATE messages SET recipient = NULL WHERE id = ?', id)
}
