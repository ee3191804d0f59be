// Data of persons in the payments. The law requires to keep payments, so they are erased with ERASE_PAYMENTS=true only.
import { and, asc, gt, inArray } from 'drizzle-orm'
import { affectedRows, open } from '#core/db/open'
import { mentionsPerson } from '#core/person/mentions'
import type { Person, PersonalPlace } from '#core/person/places'
import { isAnyOf, personalTable } from '#core/person/tables'
import type { Env } from './bindings.ts'
import { erasesPayments } from './env.ts'
import { type PaymentStore, schema } from './schema.ts'

type PaymentTables = (typeof schema)['d1']

/** The account of a payer may be any identifier. */
const isAccount = ({ transactions }: PaymentStore, { user, phone, email }: Person) =>
  isAnyOf(transactions.account, [user, phone, email])

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
  columns: { payment_webhook_log: ['transaction_id'] },
  async erase(env, person) {
    const store = open(env, schema)
    const { db, transactions, webhooks } = store
    const condition = isAccount(store, person)
    if (!condition || !erasesPayments(env)) return { erased: 0 }
    const theirs = db.select({ id: transactions.id }).from(transactions).where(condition)
    const chosen = db
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(inArray(webhooks.transaction_id, theirs))
      .limit(webhookRowsPerStep)
    const erased = affectedRows(await db.delete(webhooks).where(inArray(webhooks.id, chosen)))
    return { erased, next: erased === webhookRowsPerStep ? '' : undefined }
  },
  async read(env, person, cursor = '0') {
    const store = open(env, schema)
    const { db, transactions, webhooks } = store
    const condition = isAccount(store, person)
    if (!condition) return { rows: [] }
    const theirs = db.select({ id: transactions.id }).from(transactions).where(condition)
    const { id, transaction_id, request_body, response_status, created_at } = webhooks
    const rows = await db
      .select({ id, transaction_id, request_body, response_status, created_at })
      .from(webhooks)
      .where(and(inArray(transaction_id, theirs), gt(id, Number(cursor))))
      .orderBy(asc(id))
      .limit(logRowsPerStep)
    return { rows, next: rows.length === logRowsPerStep ? String(rows.at(-1)!.id) : undefined }
  },
}

export const personalData: readonly PersonalPlace<Env>[] = [
  httpLog,
  webhookLog,
  personalTable<Env, PaymentTables>(schema, {
    table: 'transactions',
    columns: ['account'],
    key: ['id'],
    matches: isAccount,
    exported: ['id', 'account', 'code', 'sum', 'currency', 'status', 'is_test', 'created_at'],
    mayErase: erasesPayments,
  }),
]
