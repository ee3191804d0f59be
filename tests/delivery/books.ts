// Helpers that run the ledger's SQL on its tables alone, without the durable object `Ledger` and its queue.
import { runInDurableObject } from 'cloudflare:test'
import type { Definition } from '#delivery/definition'
import { openLedger } from '#delivery/ledger/changes'
import { readHead } from '#delivery/ledger/head'
import { beginPage, commitPage, type PageAttempt, type StagedRecipient, stagePage } from '#delivery/ledger/pages'
import { type LedgerHead, type MessageRow, tableSteps } from '#delivery/ledger/tables'
import { pieceAt } from '#delivery/range'
import { bound } from './support.ts'

/**
 * Runs a function on the tables of a new ledger. The durable object is one of another class, so nothing else changes the
 * tables.
 */
export const onTables = <Result>(use: (sql: SqlStorage) => Result | Promise<Result>): Promise<Result> =>
  runInDurableObject(bound.FIRST_REPLY.getByName(crypto.randomUUID()), (_, { storage }) => {
    for (const step of tableSteps) storage.sql.exec(step)
    return use(storage.sql)
  })

/** The definition of a delivery by all channels, with ten pieces of ten numbers. */
export const definition: Definition = {
  ...{ name: 'All', min: 1, max: 100, gap: 10, data_url: 'http://a.dev/', filters: '{}', max_per_second: null },
  ...{ has_email: true, has_sms: true, has_feed: true, feed_payload: null, payload: null },
  ...{ email_subject: '{"en":"S"}', email_html: '{"en":"H"}', sms_message: '{"en":"M"}' },
  ...{ feed_title: '{"en":"T"}', feed_text: null, feed_image: null },
}

export const books = (sql: SqlStorage, more: Partial<Definition> = {}, now = 0) => {
  for (const table of [
    'head',
    'definition',
    'pieces',
    'recipients',
    'messages',
    'targets',
    'outlets',
    'slices',
    'stale',
  ])
    sql.exec(`DELETE FROM ${table}`)
  openLedger(sql, crypto.randomUUID(), { ...definition, ...more }, now)
}

export const headOf = (sql: SqlStorage): LedgerHead => readHead(sql)!
export const messagesIn = (sql: SqlStorage) =>
  sql
    .exec<MessageRow & { reason: string | null; at: number; place: number }>('SELECT * FROM messages ORDER BY id')
    .toArray()

/** A recipient with one message on every channel. With null as `target` it has no targets. */
export const recipient = (place: number, target: string | null = `t${place}`): StagedRecipient => ({
  place,
  data: JSON.stringify({ place }),
  messages: (['email', 'sms', 'feed'] as const).map((channel) => ({
    channel,
    hash: target,
    reason: target === null ? 'no_target' : null,
  })),
})

/** Begins to fetch the piece that starts at `min`. Returns the attempt, or undefined if the piece must not be fetched now. */
export function begin(sql: SqlStorage, min: number, now = 0, lease = 1_000): PageAttempt | undefined {
  const range = headOf(sql)
  const begun = beginPage(sql, { ...pieceAt(min, range), gap: range.gap }, lease, now)
  return begun.state === 'fetch' ? { piece: min, attempt: begun.attempt } : undefined
}

/** Stores a page with these recipients, as a successful fetch of the piece that starts at `min` does. */
export function fill(sql: SqlStorage, min: number, recipients: StagedRecipient[], now = 0): void {
  const attempt = begin(sql, min, now)!
  stagePage(sql, attempt, recipients)
  commitPage(sql, attempt, recipients.length, now)
}
