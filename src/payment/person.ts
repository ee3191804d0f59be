// Data of persons in the payments. The law requires to keep payments, so they are erased with ERASE_PAYMENTS=true only.
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import { isIdentifierOf, mentionsPerson } from '#core/person/mentions'
import type { Person, PersonalPlace } from '#core/person/places'
import type { Env } from './bindings.ts'
import { erasesPayments } from './env.ts'
import { type PaymentStore, schema } from './schema.ts'

/** Payments that one step reads to find accounts, and those of the person that it returns: D1 binds at most 100 parameters. */
const paymentsPerStep = 1_000
const matchesPerStep = 90

interface PaymentMatches {
  payments: PaymentStore['transactions']['$inferSelect'][]
  /** The last payment of the step, if more may follow. */
  next?: number | undefined
}

/**
 * The payments after an id whose account is an identifier of the person. An account is stored as the payer's page sent it, so a phone
 * or an email address may have any spelling: they are compared row by row.
 */
async function findPayments(store: PaymentStore, person: Person, after: number): Promise<PaymentMatches> {
  const { user, phone, email } = person
  if (phone === undefined && email === undefined)
    return user === undefined ? { payments: [] } : findPaymentsOf(store, user, after)
  const { db, transactions } = store
  const { id, account } = transactions
  const page = await db
    .select({ id, account })
    .from(transactions)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(paymentsPerStep)
  const found = page.filter(({ account }) => isIdentifierOf(person, account))
  const ids = found.slice(0, matchesPerStep).map(({ id }) => id)
  const payments = ids.length > 0 ? await db.select().from(transactions).where(inArray(id, ids)).orderBy(asc(id)) : []
  if (found.length > matchesPerStep) return { payments, next: ids.at(-1) }
  return { payments, next: page.length === paymentsPerStep ? page.at(-1)!.id : undefined }
}

/** The payments of exactly this account, by their index. */
async function findPaymentsOf(
  { db, transactions }: PaymentStore,
  user: string,
  after: number,
): Promise<PaymentMatches> {
  const payments = await db
    .select()
    .from(transactions)
    .where(and(eq(transactions.account, user), gt(transactions.id, after)))
    .orderBy(asc(transactions.id))
    .limit(matchesPerStep)
  return { payments, next: payments.length === matchesPerStep ? payments.at(-1)!.id : undefined }
}

const idsOf = ({ payments }: PaymentMatches) => payments.map(({ id }) => id)

const cursorOf = (next: number | undefined) => (next === undefined ? undefined : String(next))

/** Rows of the HTTP log that one step reads. Their texts are at most some kilobytes each. */
const logRowsPerStep = 90

/** The rows of the HTTP log after an id whose URL or body has an identifier of the person. */
async function findLogged(env: Env, person: Person, cursor = '0') {
  const { db, requests } = open(env, schema)
  const page = await db
    .select()
    .from(requests)
    .where(gt(requests.id, Number(cursor)))
    .orderBy(asc(requests.id))
    .limit(logRowsPerStep)
  const isTheirs = ({ url, body }: (typeof page)[number]) =>
    mentionsPerson(person, body) || mentionsPerson(person, URL.parse(url, 'http://log')?.search ?? '')
  const next = page.length === logRowsPerStep ? String(page.at(-1)!.id) : undefined
  return { rows: page.filter(isTheirs), next }
}

const httpLog: PersonalPlace<Env> = {
  name: 'requests',
  columns: { payment_http_log: ['url', 'body'] },
  async erase(env, person, cursor) {
    if (!erasesPayments(env)) return { erased: 0 }
    const { db, requests } = open(env, schema)
    const { rows, next } = await findLogged(env, person, cursor)
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await db.delete(requests).where(inArray(requests.id, ids))
    return { erased: ids.length, next }
  },
  async read(env, person, cursor) {
    const { rows, next } = await findLogged(env, person, cursor)
    return { rows: rows.map(({ headers: _, ...row }) => row), next }
  },
}

const webhookRowsPerStep = 500

/** Before the payments, by which the webhooks of a person are found. */
const webhookLog: PersonalPlace<Env> = {
  name: 'webhooks',
  columns: { payment_webhook_log: ['transaction_id', 'request_body', 'response_body'] },
  async erase(env, person, cursor = '0') {
    if (!erasesPayments(env)) return { erased: 0 }
    const store = open(env, schema)
    const { db, webhooks } = store
    const found = await findPayments(store, person, Number(cursor))
    if (found.payments.length === 0) return { erased: 0, next: cursorOf(found.next) }
    const chosen = db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(inArray(webhooks.transaction_id, idsOf(found)))
      .limit(webhookRowsPerStep)
    const erased = affectedRows(await db.delete(webhooks).where(inArray(webhooks.id, chosen)))
    return { erased, next: erased === webhookRowsPerStep ? cursor : cursorOf(found.next) }
  },
  /** The cursor: the last payment that is done, and the last webhook of the payments after it. */
  async read(env, person, cursor = '[0,0]') {
    const store = open(env, schema)
    const { db, webhooks } = store
    const [after, afterWebhook] = JSON.parse(cursor) as [number, number]
    const found = await findPayments(store, person, after)
    const following = found.next === undefined ? undefined : JSON.stringify([found.next, 0])
    if (found.payments.length === 0) return { rows: [], next: following }
    const { id, transaction_id, request_body, response_status, response_body, created_at } = webhooks
    const rows = await db
      .select({ id, transaction_id, request_body, response_status, response_body, created_at })
      .from(webhooks)
      .where(and(inArray(transaction_id, idsOf(found)), gt(id, afterWebhook)))
      .orderBy(asc(id))
      .limit(logRowsPerStep)
    const next = rows.length === logRowsPerStep ? JSON.stringify([after, rows.at(-1)!.id]) : following
    return { rows, next }
  },
}

const payments: PersonalPlace<Env> = {
  name: 'transactions',
  columns: { payment_transaction: ['account'] },
  /** Deletes the payments with their webhooks in one batch: without its payment, a logged webhook would not be found again. */
  async erase(env, person, cursor = '0') {
    if (!erasesPayments(env)) return { erased: 0 }
    const store = open(env, schema)
    const { db, transactions, webhooks } = store
    const found = await findPayments(store, person, Number(cursor))
    if (found.payments.length === 0) return { erased: 0, next: cursorOf(found.next) }
    const ids = idsOf(found)
    // The payments first: on Postgres, this waits for an attempt that is being logged.
    const [erased] = await db.batch([
      db.delete(transactions).where(inArray(transactions.id, ids)),
      db.delete(webhooks).where(inArray(webhooks.transaction_id, ids)),
    ])
    return { erased: affectedRows(erased), next: cursorOf(found.next) }
  },
  async read(env, person, cursor = '0') {
    const found = await findPayments(open(env, schema), person, Number(cursor))
    const rows = found.payments.map(({ id, account, code, sum, currency, status, is_test, created_at }) => ({
      ...{ id, account, code, sum, currency, status, is_test, created_at },
    }))
    return { rows, next: cursorOf(found.next) }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [httpLog, webhookLog, payments]
