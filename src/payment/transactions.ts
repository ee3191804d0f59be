// Stores, finds and lists payments, which the API calls transactions.
import { and, asc, count, desc, eq, gt, gte, lt } from 'drizzle-orm'
import type { TransactionOf, TransactionsOf } from './contract.ts'
import { failure } from './errors.ts'
import type { PaymentStore, TransactionRow } from './schema.ts'

export type NewTransaction = Omit<TransactionRow, 'id' | 'is_test'> & Partial<Pick<TransactionRow, 'is_test'>>

/** Stores a payment, unless one with the same code is stored. Returns the stored one. */
export async function addTransaction(
  { db, transactions }: PaymentStore,
  transaction: NewTransaction,
): Promise<{ row: TransactionRow; isNew: boolean }> {
  const insert = db.insert(transactions).values(transaction).onConflictDoNothing({ target: transactions.code })
  const [added, stored] = await db.batch([
    insert.returning({ id: transactions.id }),
    db.select().from(transactions).where(eq(transactions.code, transaction.code)),
  ])
  return { row: stored[0]!, isNew: added.length > 0 }
}

/** Finds a payment by id, code or both; throws 404 if there is none. */
export async function findTransaction(store: PaymentStore, by: TransactionOf): Promise<TransactionRow> {
  const row = await lookUpTransaction(store, by)
  if (row) return row
  throw missingTransaction(by)
}

/** 404 that names the id of the payment. The code is not shown, because its digits may be a card number. */
function missingTransaction({ id, code }: TransactionOf) {
  if (code !== undefined) return failure('transaction_not_found')
  return failure('transaction_not_found', `No payment has the id ${id}.`)
}

/** Finds a payment by id, code or both; undefined if there is none. */
export async function lookUpTransaction({ db, transactions }: PaymentStore, { id, code }: TransactionOf) {
  const matches = and(
    id === undefined ? undefined : eq(transactions.id, id),
    code === undefined ? undefined : eq(transactions.code, code),
  )
  const [row] = await db.select().from(transactions).where(matches).limit(1)
  return row
}

/** A page of payments, the newest first. */
export async function listTransactions(
  { db, transactions }: PaymentStore,
  { limit, offset, count: isCounted, ...filter }: TransactionsOf,
) {
  const { account, code, status, created_from, created_to } = filter
  const matches = and(
    account === undefined ? undefined : eq(transactions.account, account),
    code === undefined ? undefined : eq(transactions.code, code),
    status === undefined ? undefined : eq(transactions.status, status === 1 ? 1 : 0),
    created_from && gte(transactions.created_at, created_from),
    created_to && lt(transactions.created_at, created_to),
  )
  const page = db.select().from(transactions).where(matches).orderBy(desc(transactions.id)).limit(limit).offset(offset)
  const total = db.select({ nb_results: count() }).from(transactions).where(matches)
  const [rows, [counted]] = isCounted ? await db.batch([page, total]) : [await page, []]
  return { transactions: rows, ...counted }
}

/** Ids above `after` of payments whose webhook is not acknowledged, in the order of their arrival. */
export async function listPending(
  { db, transactions }: PaymentStore,
  { after, before, limit }: { after: number; before?: Date; limit: number },
): Promise<number[]> {
  const { id, status, created_at } = transactions
  const rows = await db
    .select({ id })
    .from(transactions)
    .where(and(eq(status, 0), gt(id, after), before && lt(created_at, before)))
    .orderBy(asc(id))
    .limit(limit)
  return rows.map((row) => row.id)
}
