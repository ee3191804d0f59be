import { open } from '#core/db/open'
import type { UnvalidatedRequest } from '#core/http/declaration'
import { describe, log } from '#core/http/log'
import { currentRequestId } from '#core/http/request-id'
import { checkAccount } from './account-check.ts'
import type { Env } from './bindings.ts'
import { type Code, codes, type Notification } from './contract.ts'
import { currencyOf, takesTests, webhookUrlOf } from './env.ts'
import { noteRequest } from './http-log-middleware.ts'
import { notificationIn, reportsNoPayment } from './notification-parser.ts'
import { schema, type TransactionRow } from './schema.ts'
import { addTransaction, knownTransaction, type NewTransaction } from './transactions.ts'

/** Says whether a payment may be made. */
export const answerCheck = (asked: UnvalidatedRequest<Env>) => answer(asked, decided(asked, mayBePaid))

/** Stores a payment that was made. Its webhook is on the way when this resolves. */
export const answerPay = (asked: UnvalidatedRequest<Env>) =>
  answer(asked, reportsNoPayment(asked) ? Promise.resolve(codes.refused) : decided(asked, takePayment))

type Decide = (env: Env, payment: NewTransaction) => Promise<Code>

async function answer({ env, request, bytes }: UnvalidatedRequest<Env>, code: Promise<Code>): Promise<{ code: Code }> {
  // What fails is in the log too: nothing goes on once it is answered.
  await Promise.allSettled([code, noteRequest(env, request, bytes)])
  return { code: await code }
}

/** What the processor tests, and what is no payment, is refused before anybody is asked. */
async function decided({ env, ...sent }: UnvalidatedRequest<Env>, decide: Decide): Promise<Code> {
  const given = notificationIn(sent)
  if (!given) return codes.malformed
  if (!isPaid(given) || (given.TestMode && !takesTests(env))) return codes.refused
  return decide(env, paymentOf(env, given))
}

/** Not what failed, and not what gives money back or out: all notifications are signed alike. */
const isPaid = ({ Status = 'Completed', OperationType = 'Payment' }: Notification) =>
  ['Completed', 'Authorized'].includes(Status) && OperationType === 'Payment'

const paymentOf = (
  env: Env,
  { TransactionId, AccountId, Amount, Currency, TestMode }: Notification,
): NewTransaction => ({
  ...{ account: AccountId, code: TransactionId, ...Amount, currency: Currency ?? currencyOf(env) },
  ...{ status: webhookUrlOf(env) ? 0 : 1, created_at: new Date(), request_id: currentRequestId() ?? null },
  is_test: TestMode ?? false,
})

async function mayBePaid(env: Env, payment: NewTransaction): Promise<Code> {
  const before = await knownTransaction(open(env, schema), { code: payment.code })
  const code = before ? repeated(before, payment) : codes.accepted
  return code === codes.accepted ? checkAccount(env, payment.account) : code
}

// Copies that come within this belong to the one that is at work.
const justNow = 5_000

async function takePayment(env: Env, payment: NewTransaction): Promise<Code> {
  const { row, isNew } = await addTransaction(open(env, schema), payment)
  const isLeft = row.status === 0 && payment.created_at.getTime() - row.created_at.getTime() > justNow
  if (isNew ? row.status === 0 : isLeft) await dispatch(env)
  return repeated(row, payment)
}

/** The sweep does it too, should this fail. */
async function dispatch({ DISPATCHER }: Env): Promise<void> {
  try {
    await DISPATCHER.getByName('first').wake()
  } catch (error) {
    log('error', { component: 'payment', route: 'dispatcher', ...describe(error) })
  }
}

/** Whether a notification is of the same payment as the one before it. */
function repeated(before: TransactionRow, { sum_minor, currency, account }: NewTransaction): Code {
  if (before.sum_minor !== sum_minor || before.currency !== currency) return contradicted(before, codes.amount)
  return before.account === account ? codes.accepted : contradicted(before, codes.account)
}

function contradicted({ id }: TransactionRow, code: Code): Code {
  log('error', { component: 'payment', route: 'notification', transaction: id, contradicted: code })
  return code
}
