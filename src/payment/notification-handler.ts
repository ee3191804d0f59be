// Handles the processor's Check and Pay notifications: decides the reply code, and stores a payment.
import { open } from '#core/db/open'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { describe, log } from '#core/http/log'
import { currentRequestId } from '#core/http/request-id'
import { checkAccount } from './account-check.ts'
import type { Env } from './bindings.ts'
import { type Code, codes, type Notification } from './contract.ts'
import { acceptsTests, currencyOf, webhookUrlOf } from './env.ts'
import { logAuthenticatedRequest } from './http-log-middleware.ts'
import { parseNotification, reportsNoPayment } from './notification-parser.ts'
import { schema, type TransactionRow } from './schema.ts'
import { addTransaction, lookUpTransaction, type NewTransaction } from './transactions.ts'

/** Handles a Check notification: replies whether a payment may be made. */
export const answerCheck = (request: UnvalidatedRequest<Env>) => answer(request, decide(request, checkPayment))

/** Handles a Pay notification: stores the payment and starts its webhook. */
export const answerPay = (request: UnvalidatedRequest<Env>) =>
  answer(request, reportsNoPayment(request) ? Promise.resolve(codes.refused) : decide(request, recordPayment))

type Handler = (env: Env, payment: NewTransaction) => Promise<Code>

/** Replies when the code is decided and the request is logged, also if the handler fails, so that a crash after the reply loses nothing. */
async function answer({ env, request, bytes }: UnvalidatedRequest<Env>, code: Promise<Code>): Promise<{ code: Code }> {
  await Promise.allSettled([code, logAuthenticatedRequest(env, request, bytes)])
  return { code: await code }
}

/** Refuses test payments and notifications of anything but a payment before any database or merchant is asked. */
async function decide({ env, ...source }: UnvalidatedRequest<Env>, handler: Handler): Promise<Code> {
  const fields = parseNotification(source)
  if (!fields) return codes.malformed
  if (!isPayment(fields) || (fields.TestMode && !acceptsTests(env))) return codes.refused
  return handler(env, paymentOf(env, fields))
}

/** Excludes failed payments, refunds and payouts: all kinds of notifications are signed with the same secret. */
const isPayment = ({ Status = 'Completed', OperationType = 'Payment' }: Notification) =>
  ['Completed', 'Authorized'].includes(Status) && OperationType === 'Payment'

const paymentOf = (
  env: Env,
  { TransactionId, AccountId, Amount, Currency, TestMode }: Notification,
): NewTransaction => ({
  ...{ account: AccountId, code: TransactionId, ...Amount, currency: Currency ?? currencyOf(env) },
  ...{ status: webhookUrlOf(env) ? 0 : 1, created_at: new Date(), request_id: currentRequestId() ?? null },
  is_test: TestMode ?? false,
})

async function checkPayment(env: Env, payment: NewTransaction): Promise<Code> {
  const stored = await lookUpTransaction(open(env, schema), { code: payment.code })
  const code = stored ? compareWithStored(stored, payment) : codes.accepted
  return code === codes.accepted ? checkAccount(env, payment.account) : code
}

/** A repeat of the notification within this time does not wake the dispatcher, since the first notification has woken it. */
const duplicateWindowMs = 5_000

async function recordPayment(env: Env, payment: NewTransaction): Promise<Code> {
  const { row, isNew } = await addTransaction(open(env, schema), payment)
  const ageMs = payment.created_at.getTime() - row.created_at.getTime()
  if (row.status === 0 && (isNew || ageMs > duplicateWindowMs)) await wakeDispatcher(env)
  return compareWithStored(row, payment)
}

/** Makes the dispatcher start the webhooks of new payments. An error is only logged, because the sweep starts a forgotten webhook. */
async function wakeDispatcher({ DISPATCHER }: Env): Promise<void> {
  try {
    await DISPATCHER.getByName('first').wake()
  } catch (error) {
    log('error', { component: 'payment', route: 'dispatcher', ...describe(error) })
  }
}

/** The reply code for a stored transaction: 0 if the notification reports the same payment, else 12 (amount, currency) or 11 (account). */
function compareWithStored(stored: TransactionRow, { sum_minor, currency, account }: NewTransaction): Code {
  if (stored.sum_minor !== sum_minor || stored.currency !== currency) return logMismatch(stored, codes.amount)
  return stored.account === account ? codes.accepted : logMismatch(stored, codes.account)
}

function logMismatch({ id }: TransactionRow, code: Code): Code {
  log('error', { component: 'payment', route: 'notification', transaction: id, contradicted: code })
  return code
}
